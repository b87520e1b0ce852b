import Compression
import Foundation
import Geometry
import TestSupport
import Testing
import TileArchive

/// Archives that were made to mislead: each must end in an answer or an error, soon.
struct HostilePMTilesTests {
    typealias Entry = PMTilesDirectory.Entry
    let directory = try! TemporaryDirectory()

    /// A file of a root, leaf directories and three bytes of tiles.
    func file(
        root: [Entry], leaves: [[Entry]] = [], _ change: (inout PMTilesHeader) -> Void = { _ in }
    ) throws -> String {
        var gzip = GzipCompressor()
        let packed = leaves.map { gzip.compress(PMTilesDirectory($0).bytes.span) }
        let first = gzip.compress(PMTilesDirectory(root).bytes.span)
        let metadata = gzip.compress(Array("{\"vector_layers\":[]}".utf8).span)
        var header = PMTilesHeader()
        header.root = .init(offset: 127, length: UInt64(first.count))
        header.metadata = .init(
            offset: 127 + UInt64(first.count), length: UInt64(metadata.count))
        header.leaves = .init(
            offset: header.metadata.offset + header.metadata.length,
            length: UInt64(packed.reduce(0) { $0 + $1.count }))
        header.tiles = .init(offset: header.leaves.offset + header.leaves.length, length: 3)
        change(&header)
        let path = directory.file("a.pmtiles")
        let bytes = header.bytes + first + metadata + packed.flatMap { $0 } + [1, 2, 3]
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func leafSize(_ entries: [Entry]) -> UInt32 {
        var gzip = GzipCompressor()
        return UInt32(gzip.compress(PMTilesDirectory(entries).bytes.span).count)
    }

    private func expectFailingWalks(_ path: String) throws {
        let archive = try Archive(path: path)
        #expect(throws: ArchiveError.self) { _ = try archive.zooms() }
        #expect(throws: ArchiveError.self) {
            var scan = try archive.scan()
            while try scan.next() != nil {}
        }
        #expect(try archive.audit().pmtiles.contains { $0.code == "pmtiles-directories" })
    }

    @Test func `a tile of more bytes than any has is not read`() throws {
        for (length, isRead) in [(UInt32(16_777_216), true), (16_777_217, false)] {
            let path = try file(root: [Entry(id: 0, offset: 0, length: length, run: 1)]) {
                $0.tiles.length = UInt64(length)
            }
            #expect(truncate(path, 20 << 20) == 0)
            var tiles = try Archive(path: path).openTiles()
            let tile = try? tiles.tile(at: TileID(z: 0, x: 0, y: 0))
            #expect(tile?.count == (isRead ? Int(length) : nil))
        }
    }

    @Test func `a leaf directory that leads to itself`() throws {
        // Its size depends on what it says of it: it is looked for.
        let size = try #require(
            (1...200).first { leafSize([Entry(id: 0, offset: 0, length: $0, run: 0)]) == $0 })
        let loop = [Entry(id: 0, offset: 0, length: size, run: 0)]
        let path = try file(root: loop, leaves: [loop])
        try expectFailingWalks(path)
        var lookup = try Archive(path: path).openTiles()
        #expect(throws: ArchiveError.self) { _ = try lookup.tile(at: TileID(z: 0, x: 0, y: 0)) }
    }

    @Test func `one leaf directory under many entries`() throws {
        let leaf = [Entry(id: 0, offset: 0, length: 1, run: 1)]
        let size = leafSize(leaf)
        let root = (0..<10_000).map { Entry(id: $0, offset: 0, length: size, run: 0) }
        try expectFailingWalks(try file(root: root, leaves: [leaf]))
    }

    @Test func `entries that overlap`() throws {
        try expectFailingWalks(
            try file(root: [
                Entry(id: 0, offset: 0, length: 1, run: 9),
                Entry(id: 3, offset: 0, length: 1, run: 1),
            ]))
    }

    @Test func `the zooms of runs without end are found, and their tiles not gone through`() throws
    {
        let path = try file(
            root: [Entry(id: 1 << 40, offset: 0, length: 1, run: .max)])
        let archive = try Archive(path: path)
        #expect(try archive.zooms() == 20...20)
        #expect(throws: ArchiveError.self) {
            var scan = try archive.scan()
            while try scan.next() != nil {}
        }
    }

    /// A world of one tile down to zoom 12: some hundred bytes that stand for 22 million tiles.
    @Test func `a run of millions is a finding where bounds forbid it, and is not gone through`()
        throws
    {
        let root = [Entry(id: 0, offset: 0, length: 3, run: 22_369_621)]
        let world = try Archive(path: file(root: root) { $0.maxZoom = 12 })
        #expect(!(try world.audit().pmtiles.contains { $0.code == "pmtiles-bounds" }))
        let path = try file(root: root) { header in
            header.maxZoom = 12
            header.bounds = [0, 0, 10_000_000, 10_000_000]
        }
        let problems = try Archive(path: path).audit().pmtiles
        // One degree is 12 of 4,096 columns, and one on each side may be touched.
        #expect(problems.contains(.beyondBounds(zoom: 12, found: 1 << 24, most: 14 * 15)))
        for archive in [world, try Archive(path: path)] {
            let start = ContinuousClock.now
            #expect(throws: ArchiveError.self) {
                var scan = try archive.scan(zooms: 11...12)
                while try scan.next() != nil {}
            }
            #expect(throws: ArchiveError.self) {
                var scan = try archive.scanAlongCurve(zooms: 11...12)
                while try scan?.next() != nil {}
            }
            #expect(ContinuousClock.now - start < .seconds(2))
        }
    }

    @Test func `a run is not given out when it comes to more than its file can stand for`() throws {
        let path = try file(root: [Entry(id: 0, offset: 0, length: 3, run: 1_000)])
        var budget = WorkBudget(fileBytes: 100)
        try budget.take(bytes: WorkBudget.leastBytes - 2, of: path)
        #expect(throws: ArchiveError.self) { try budget.take(bytes: 3, of: path) }
        try budget.take(bytes: 2, of: path)
        try budget.take(tiles: 1_000_000, of: path)
        #expect(throws: ArchiveError.self) { try budget.take(tiles: 1, of: path) }
        var scan = try Archive(path: path).scan()
        var count = 0
        while try scan.next() != nil { count += 1 }
        #expect(count == 1_000)
    }

    @Test func `lengths that reach outside of the file or of a section`() throws {
        let outside = try file(root: [Entry(id: 0, offset: 2, length: 2, run: 1)])
        var lookup = try Archive(path: outside).openTiles()
        #expect(throws: ArchiveError.self) { _ = try lookup.tile(at: TileID(z: 0, x: 0, y: 0)) }
        #expect(try Archive(path: outside).audit().pmtiles.contains { $0.code == "pmtiles-data" })
        let changes: [(inout PMTilesHeader) -> Void] = [
            { $0.tiles.length = 1 << 40 }, { $0.tiles.offset = .max },
            { $0.root.length = .max }, { $0.leaves.offset = .max - 5 },
            { $0.metadata.length = 1 << 30 },
        ]
        for change in changes {
            let path = try file(root: [Entry(id: 0, offset: 0, length: 1, run: 1)], change)
            #expect(throws: ArchiveError.self) { _ = try Archive(path: path) }
        }
    }

    @Test func `metadata and directories that inflate without end`() throws {
        var gzip = GzipCompressor(level: 9)
        let bomb = gzip.compress([UInt8](repeating: 0x20, count: 40 << 20).span)
        let path = try file(root: [Entry(id: 0, offset: 0, length: 1, run: 1)])
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        var header = try PMTilesHeader(bytes)
        header.metadata = .init(offset: UInt64(bytes.count), length: UInt64(bomb.count))
        bytes.replaceSubrange(..<127, with: header.bytes)
        try Data(bytes + bomb).write(to: URL(filePath: path))
        #expect(throws: ArchiveError.self) { _ = try Archive(path: path) }
    }

    @Test func `every rule of the header is looked at`() throws {
        func codes(_ change: @escaping (inout PMTilesHeader) -> Void) throws -> Set<String> {
            let path = try file(root: [Entry(id: 1, offset: 0, length: 3, run: 1)]) { header in
                (header.addressedTiles, header.entries, header.contents) = (1, 1, 1)
                (header.minZoom, header.maxZoom, header.centerZoom) = (1, 1, 1)
                change(&header)
            }
            return Set(try Archive(path: path).audit().pmtiles.map(\.code))
        }
        #expect(try codes { _ in } == [])
        #expect(try codes { $0.addressedTiles = 2 } == ["pmtiles-counts"])
        #expect(try codes { $0.entries = 2 } == ["pmtiles-counts"])
        #expect(try codes { $0.contents = 2 } == ["pmtiles-counts"])
        #expect(try codes { $0.minZoom = 0 } == ["pmtiles-zooms"])
        #expect(try codes { $0.maxZoom = 2 } == ["pmtiles-zooms"])
        #expect(try codes { $0.centerZoom = 2 } == ["pmtiles-zooms"])
        #expect(try codes { $0.bounds[2] = $0.bounds[0] } == ["pmtiles-bounds"])
        #expect(try codes { $0.leaves.offset = 0 } == ["pmtiles-sections"])
        #expect(try codes { $0.tiles.offset -= 1 }.contains("pmtiles-sections"))
    }

    @Test func `what is out of order is told once, and what lies deep does no harm`() throws {
        let backwards = (0..<3).map {
            Entry(id: $0 + 1, offset: 2 - $0, length: 1, run: 1)
        }
        let problems = try Archive(path: file(root: backwards)).audit().pmtiles
        #expect(problems.filter { $0.code == "pmtiles-order" } == [.unordered(id: 1)])
        #expect(problems.allSatisfy { !$0.isHarmless })
        let leaf = [Entry(id: 1, offset: 0, length: 3, run: 1)]
        let middle = [Entry(id: 1, offset: 0, length: leafSize(leaf), run: 0)]
        let root = [
            Entry(id: 1, offset: UInt64(leafSize(leaf)), length: leafSize(middle), run: 0)
        ]
        let deep = try Archive(path: file(root: root, leaves: [leaf, middle]))
        #expect(try deep.audit().pmtiles.filter(\.isHarmless) == [.deepDirectories(3)])
        var lookup = try deep.openTiles()
        #expect(try lookup.tile(at: TileID(z: 1, x: 0, y: 0)) == [1, 2, 3])
    }

    @Test func `damage ends in an answer or an error`() throws {
        var random = SeededRandom(seed: 12)
        let root = (0..<60).map { Entry(id: $0 * 2, offset: $0 % 3, length: 1, run: 1) }
        let path = try file(root: root)
        let whole = Array(try Data(contentsOf: URL(filePath: path)))
        var (refused, answers) = (0, 0)
        var isInside = true
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0...random.next() % 4 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 255)
            }
            try Data(bytes).write(to: URL(filePath: path))
            guard let archive = try? Archive(path: path) else {
                refused += 1
                continue
            }
            _ = try? archive.audit()
            _ = try? archive.zooms()
            guard var lookup = try? archive.openTiles() else { continue }
            for id in UInt64(0)..<130 {
                guard let tile = TileID(hilbertID: id), let found = try? lookup.tile(at: tile)
                else { continue }
                answers += 1
                isInside = isInside && found.count < bytes.count
            }
        }
        #expect(refused > 30 && answers > 1_500, "\(refused), \(answers)")
        // Whatever an answer is taken for, it lies in the file.
        #expect(isInside)
    }
}
