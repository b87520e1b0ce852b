import Compression
import TestSupport
import Testing
import TileArchive

/// Header and directories to the byte, and what a stranger may put in their place.
struct PMTilesFormatTests {
    typealias Entry = PMTilesDirectory.Entry

    @Test func `a header to the byte and back`() throws {
        var header = PMTilesHeader()
        header.root = .init(offset: 127, length: 0x1234)
        header.metadata = .init(offset: 0x2000, length: 5)
        header.leaves = .init(offset: 0x0102_0304_0506, length: 6)
        header.tiles = .init(offset: 16_384, length: 7)
        (header.addressedTiles, header.entries, header.contents) = (8, 9, 10)
        (header.minZoom, header.maxZoom, header.centerZoom) = (1, 14, 3)
        header.bounds = [-1, 2, 3, 0x0102_0304]
        header.center = [-2, 5]
        let expected: [UInt8] =
            Array("PMTiles".utf8) + [3]
            + [127, 0, 0, 0, 0, 0, 0, 0, 0x34, 0x12, 0, 0, 0, 0, 0, 0]
            + [0, 0x20, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]
            + [6, 5, 4, 3, 2, 1, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
            + [0, 0x40, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]
            + [8, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0]
            + [1, 2, 2, 1, 1, 14]
            + [255, 255, 255, 255, 2, 0, 0, 0, 3, 0, 0, 0, 4, 3, 2, 1]
            + [3, 254, 255, 255, 255, 5, 0, 0, 0]
        #expect(expected.count == PMTilesHeader.byteCount)
        #expect(header.bytes == expected)
        #expect(try PMTilesHeader(expected) == header)
    }

    @Test func `a header of something else is refused by what it is`() {
        func fault(_ change: (inout [UInt8]) -> Void) -> PMTilesFault? {
            var bytes = PMTilesHeader().bytes
            change(&bytes)
            return #expect(throws: PMTilesFault.self) { _ = try PMTilesHeader(bytes) }
        }
        #expect(fault { $0.removeLast() } == .cutShort)
        #expect(fault { $0[0] = 0 } == .noArchive)
        #expect(fault { $0[7] = 2 } == .otherVersion(2))
        #expect(fault { $0[97] = 3 } == .unknownCompression(3))
    }

    @Test func `a directory to the byte`() {
        let directory = PMTilesDirectory([
            Entry(id: 5, offset: 0, length: 300, run: 1),
            Entry(id: 7, offset: 300, length: 2, run: 3),
            Entry(id: 200, offset: 0, length: 300, run: 0),
        ])
        #expect(
            directory.bytes == [
                3, 5, 2, 193, 1, 1, 3, 0, 172, 2, 2, 172, 2, 1, 0, 1,
            ])
    }

    @Test func `random directories come back, and find their entries`() throws {
        var random = SeededRandom(seed: 4)
        for _ in 0..<200 {
            var entries: [Entry] = []
            var id: UInt64 = 0
            var end: UInt64 = 0
            for _ in 0..<Int(random.next() % 50) {
                id += 1 + random.next() % 40
                let isNext = random.next() % 4 > 0
                let offset = isNext ? end : random.next() % 100_000
                let entry = Entry(
                    id: id, offset: offset, length: 1 + UInt32(random.next() % 5_000),
                    run: 1 + UInt32(random.next() % 3))
                end = offset + UInt64(entry.length)
                entries.append(entry)
                id += UInt64(entry.run) - 1
            }
            let directory = PMTilesDirectory(entries)
            #expect(try PMTilesDirectory(directory.bytes.span) == directory)
            for wanted in 0...id + 3 {
                let found = entries.first {
                    ($0.id..<$0.id + UInt64($0.run)).contains(wanted)
                }
                #expect(directory.entry(for: wanted) == found)
            }
        }
    }

    @Test func `what no directory can be is refused`() {
        for bytes: [UInt8] in [
            [], [1], [255, 255, 255, 255, 15, 0, 0, 0], [2, 5, 0, 1, 1, 1, 1, 1, 0],
            [1, 0, 1, 0, 1], [1, 0, 1, 1, 0], [1, 0, 1, 1],
            [1, 0, 255, 255, 255, 255, 255, 255, 1, 1, 1],
            [1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1, 1],
        ] {
            #expect(throws: PMTilesFault.self) { _ = try PMTilesDirectory(bytes.span) }
        }
    }

    @Test func `padding makes a member longer and holds nothing`() throws {
        var gzip = GzipCompressor()
        var inflater = GzipInflater()
        let member = gzip.compress(Array("what is in it".utf8).span)
        for count in [0, 1, 2, 5, 6, 7, 100, 16_000] {
            let padded = GzipPadding.lengthened(member, by: count)
            #expect(padded.count == member.count + count)
            let held = try inflater.inflate(padded.span, limit: 100)
            #expect(String(decoding: held, as: UTF8.self) == "what is in it")
        }
    }
}
