import Compression
import Foundation
import Geometry
import SQLite
import TestSupport
import Testing
import TileArchive

struct DamagedArchiveTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.file("a.mbtiles") }

    private func write(_ bytes: Data) throws { try bytes.write(to: URL(filePath: path)) }

    @Test func `what is no archive says what it is`() throws {
        #expect(throws: ArchiveError.unreadable(path: path, reason: "No such file or directory")) {
            try Archive(path: path)
        }
        #expect(
            throws: ArchiveError.unreadable(
                path: directory.path,
                reason:
                    "it holds neither metadata.json nor tiles.json nor folders 0, 1, 2 … of tiles, "
                    + "and so no archive")
        ) {
            try Archive(path: directory.path)
        }
        for contents in [Data(), Data("SQLite format 3".utf8), Data(repeating: 80, count: 9_000)] {
            try write(contents)
            #expect(throws: ArchiveError.notADatabase(path: path)) { try Archive(path: path) }
        }
    }

    @Test func `an archive that was cut short is refused, wherever it was cut`() throws {
        let sample = SampleTiles(count: 400, seed: 1)
        try sample.write(sample.sorted, to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in [100, 5_000, whole.count / 2, whole.count - 1] {
            try write(whole.prefix(count))
            #expect(
                throws: ArchiveError.truncated(path: path, bytes: count, expected: whole.count)
            ) {
                try Archive(path: path)
            }
        }
    }

    @Test func `a damaged page is an error, not a crash and not a wrong tile`() throws {
        let sample = SampleTiles(count: 2_000, seed: 2)
        try sample.write(sample.sorted, to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        var refused = 0
        for page in 1..<(whole.count / 16_384) {
            var damaged = whole
            damaged.replaceSubrange(
                (page * 16_384)..<((page + 1) * 16_384), with: repeatElement(0xA5, count: 16_384))
            try write(damaged)
            do throws(ArchiveError) {
                var scan = try Archive(path: path).scan()
                while try scan.next() != nil {}
            } catch {
                guard case .corrupt = error else {
                    Issue.record("page \(page): \(error)")
                    continue
                }
                refused += 1
            }
        }
        // The page of the index on metadata is the one that no scan needs.
        #expect(refused >= whole.count / 16_384 - 3)
    }

    @Test func `a bomb, a cut and a lie in a tile are errors that name the tile`() throws {
        var compressor = GzipCompressor()
        let bomb = compressor.compress([UInt8](repeating: 0, count: 5_000_000).span)
        let cut = Array(bomb.dropLast(100))
        let plain = Array("not gzip".utf8)
        let writer = try MBTilesWriter(to: path)
        for (x, bytes) in [bomb, cut, plain].enumerated() {
            try writer.write(TileID(z: 2, x: UInt32(x), y: 0), gzip: bytes.span)
        }
        try writer.finish(ArchiveMetadata(name: "a"))
        var reader = try Archive(path: path).openTiles()
        let tiles = (0..<3).map { TileID(z: 2, x: $0, y: 0) }
        #expect(throws: ArchiveError.damagedTile(path: path, tiles[0], .tooLarge(limit: 4_999_999)))
        {
            try reader.inflatedTile(at: tiles[0], limit: 4_999_999)
        }
        #expect(try reader.inflatedTile(at: tiles[0], limit: 5_000_000)?.count == 5_000_000)
        #expect(
            throws: ArchiveError.damagedTile(path: path, tiles[1], .truncated(offset: cut.count))
        ) {
            try reader.inflatedTile(at: tiles[1], limit: 5_000_000)
        }
        #expect(try reader.inflatedTile(at: tiles[2], limit: 100) == plain)
        #expect(
            throws: ArchiveError.damagedTile(
                path: path, tiles[2], .tooLarge(limit: plain.count - 1))
        ) {
            try reader.inflatedTile(at: tiles[2], limit: plain.count - 1)
        }
    }

    @Test func `an archive that another program locks says so`() throws {
        try SampleTiles(count: 3, seed: 3).write([], to: path)
        let other = try Database(path: path, mode: .readWriteCreate)
        try other.execute("BEGIN EXCLUSIVE")
        #expect(throws: ArchiveError.locked(path: path)) { try Archive(path: path) }
        try other.execute("COMMIT")
        _ = try Archive(path: path)
    }
}
