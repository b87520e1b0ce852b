import Foundation
import Geometry
import SQLite
import TestSupport
import Testing

@testable import TileArchive

/// MBTiles archives that are changed where they lie.
struct ChangingArchiveTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.file("a.mbtiles") }

    func tile(_ x: UInt32) -> TileID { TileID(z: 9, x: x, y: 1) }

    private var options: SinkOptions {
        var options = SinkOptions()
        (options.replacesExisting, options.mayChange) = (true, true)
        return options
    }

    func sink() throws -> any ArchiveSink { try MBTiles.sink(to: path, options: options) }

    /// Tiles 0 to 2 and payloads 0 to 2, each of one byte.
    func write() throws {
        let sink = try sink()
        for x in UInt32(0)..<3 { try sink.write([tile(x)], gzip: [UInt8(x)].span, ends: [1]) }
        for number in UInt8(0)..<3 { try sink.write(payload: [number].span, sum: "") }
        try sink.finish(ArchiveMetadata(name: "old"))
    }

    func rows(_ select: String) throws -> [[UInt8]] {
        let database = try Database(path: path, mode: .readOnly)
        var rows = try database.prepare(select)
        var all: [[UInt8]] = []
        while try rows.step() {
            let bytes = rows.blob(at: 0)
            all.append(bytes.indices.map { bytes[$0] })
        }
        return all
    }

    private func tiles() throws -> [[UInt8]] {
        try rows("SELECT tile_data FROM tiles ORDER BY zoom_level, tile_column, tile_row")
    }

    func payloads() throws -> [[UInt8]] {
        try rows("SELECT data FROM covey_blocks ORDER BY block")
    }

    @Test func `all changes are there at the end, and none before`() throws {
        try write()
        #expect(try Archive(path: path).metadata.tilesHash == nil)
        let changing = try #require(try sink().changing(tileBytes: 3))
        try changing.set(tile(0), .removed, gzip: [UInt8]().span)
        try changing.set(tile(1), .changed, gzip: [8, 8].span)
        try changing.set(tile(7), .added, gzip: [9].span)
        #expect(changing.keep(payload: 0))
        try changing.write(payload: [5].span, sum: "")
        #expect(try tiles() == [[0], [1], [2]])
        #expect(try payloads() == [[0], [1], [2]])
        try changing.finish(ArchiveMetadata(name: "new"))
        #expect(try tiles() == [[8, 8], [2], [9]])
        #expect(try payloads() == [[0], [5]])
        #expect(try Archive(path: path).metadata.name == "new")
        #expect(directory.names == ["a.mbtiles"])
    }

    @Test func `what is dropped before the end leaves the archive as it was`() throws {
        try write()
        var changing = try sink().changing(tileBytes: 3)
        try changing?.set(tile(1), .changed, gzip: [8, 8].span)
        try changing?.write(payload: [9].span, sum: "")
        changing = nil
        #expect(try tiles() == [[0], [1], [2]])
        #expect(try payloads() == [[0], [1], [2]])
        #expect(directory.names == ["a.mbtiles"])
    }

    @Test(arguments: [TileChange.changed, .removed])
    func `a tile that is not there cannot change`(change: TileChange) throws {
        try write()
        let changing = try #require(try sink().changing(tileBytes: 3))
        #expect(
            throws: ArchiveError.cannotWrite(
                path: path, reason: "tile 9/5/1 has changed since it was read; try again")
        ) { try changing.set(tile(5), change, gzip: [1].span) }
        #expect(throws: ArchiveError.self) {
            try changing.set(tile(1), .added, gzip: [1].span)
        }
    }

    @Test func `an archive that would have other pages, or says a hash, is written anew`() throws {
        try write()
        #expect(try sink().changing(tileBytes: 1 << 20) == nil)
        #expect(try sink().changing(tileBytes: (1 << 20) - 1) != nil)
        var hashing = options
        hashing.mayChange = false
        #expect(try MBTiles.sink(to: path, options: hashing).changing(tileBytes: 3) == nil)
        #expect(
            try PMTiles.sink(to: directory.file("b.pmtiles"), options: options).changing(
                tileBytes: 3) == nil)
    }

    @Test func `an archive that has another name, or may not be written, is written anew`() throws {
        try write()
        let other = directory.file("backup.mbtiles")
        try FileManager.default.linkItem(atPath: path, toPath: other)
        #expect(try sink().changing(tileBytes: 3) == nil)
        try FileManager.default.removeItem(atPath: other)
        #expect(try sink().changing(tileBytes: 3) != nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        // Nothing keeps root from writing.
        if getuid() != 0 { #expect(try sink().changing(tileBytes: 3) == nil) }
    }

    @Test func `one that goes on as a new archive after all is whole`() throws {
        try write()
        let sink = try sink()
        #expect(try sink.changing(tileBytes: 1 << 30) == nil)
        try sink.write([tile(4)], gzip: [4].span, ends: [1])
        try sink.finish(ArchiveMetadata(name: "anew"))
        #expect(try tiles() == [[4]])
        #expect(directory.names == ["a.mbtiles"])
    }

    @Test func `while another program reads on, nothing changes, and it is told`() throws {
        try write()
        let reader = try Database(path: path, mode: .readOnly)
        try reader.execute("BEGIN")
        #expect(try reader.integer("SELECT count(*) FROM tiles") == 3)
        for isFree in [false, true] {
            if isFree { try reader.execute("COMMIT") }
            let changing = try #require(try MBTilesChanges(path, tileBytes: 3, shortPatience: 50))
            try changing.set(tile(1), .changed, gzip: [8, 8].span)
            let finish = { try changing.finish(ArchiveMetadata(name: "new")) }
            guard !isFree else {
                try finish()
                continue
            }
            #expect(throws: ArchiveError.locked(path: path)) { try finish() }
        }
        #expect(try tiles() == [[0], [8, 8], [2]])
    }

    /// Leaves what a process does that is killed while pages are being written: some of them, and what they were.
    /// - Parameter isEarly: whether no page has been written yet.
    private func leaveJournal(as name: String, isEarly: Bool = false) throws -> String {
        let large = directory.file("large.mbtiles")
        let sink = try MBTiles.sink(to: large, options: options)
        for x in UInt32(0)..<400 {
            let bytes = [UInt8](repeating: UInt8(x % 200), count: 4_000)
            try sink.write([tile(x)], gzip: bytes.span, ends: [bytes.count])
        }
        try sink.finish(ArchiveMetadata(name: "old"))
        let database = try Database(path: large, mode: .readWrite)
        try database.execute(
            "PRAGMA cache_size = \(isEarly ? 4_000 : 2); BEGIN; UPDATE tiles SET tile_data = zeroblob(4000)"
        )
        let copy = directory.file(name)
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: large + suffix, toPath: copy + suffix)
        }
        return copy
    }

    private func firstByte(_ tile: TileID, of path: String) throws -> UInt8? {
        var lookup = try Archive(path: path).openTiles()
        return try lookup.tile(at: tile)?.first
    }

    @Test func `of a writer that was killed the old pages come back when the archive is read`()
        throws
    {
        let copy = try leaveJournal(as: "killed.mbtiles")
        for x: UInt32 in [1, 150, 399] {
            #expect(try firstByte(tile(x), of: copy) == UInt8(x % 200))
        }
        #expect(!FileManager.default.fileExists(atPath: copy + "-journal"))
    }

    @Test func `a journal of which no page is needed does not keep an archive from being changed`()
        throws
    {
        let copy = try leaveJournal(as: "early.mbtiles", isEarly: true)
        #expect(try firstByte(tile(150), of: copy) == 150)
        #expect(FileManager.default.fileExists(atPath: copy + "-journal"))
        var other = options
        other.mayChange = false
        #expect(throws: ArchiveError.inUse(path: copy)) {
            try MBTiles.sink(to: copy, options: other)
        }
        do {
            // As long as the writer is there.
            let writer = try Database(path: copy, mode: .readWrite)
            try writer.execute("BEGIN IMMEDIATE")
            #expect(throws: ArchiveError.inUse(path: copy)) {
                try MBTiles.sink(to: copy, options: options)
            }
        }
        let sink = try MBTiles.sink(to: copy, options: options)
        #expect(!FileManager.default.fileExists(atPath: copy + "-journal"))
        let changing = try #require(try sink.changing(tileBytes: 1_600_000))
        try changing.set(tile(150), .changed, gzip: [7].span)
        try changing.finish(ArchiveMetadata(name: "new"))
        #expect(try firstByte(tile(150), of: copy) == 7)
    }

    @Test func `a journal that would make the archive larger is left alone`() throws {
        let copy = try leaveJournal(as: "huge.mbtiles")
        let journal = try FileHandle(forUpdating: URL(filePath: copy + "-journal"))
        // How many pages there were.
        try journal.seek(toOffset: 16)
        try journal.write(contentsOf: [0x7F, 0xFF, 0xFF, 0xFF])
        try journal.close()
        let size = try Data(contentsOf: URL(filePath: copy)).count
        #expect(throws: ArchiveError.unappliedChanges(path: copy)) { try Archive(path: copy) }
        #expect(try Data(contentsOf: URL(filePath: copy)).count == size)
        try Data(repeating: 0xD9, count: 27).write(to: URL(filePath: copy + "-journal"))
        #expect(LeftJournal(of: copy) == nil)
    }

    @Test func `a journal that names other files is left alone`() throws {
        let copy = try leaveJournal(as: "odd.mbtiles")
        let journal = try FileHandle(forWritingTo: URL(filePath: copy + "-journal"))
        try journal.seekToEnd()
        try journal.write(contentsOf: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        try journal.close()
        #expect(LeftJournal(of: copy) == nil)
        #expect(throws: ArchiveError.unappliedChanges(path: copy)) { try Archive(path: copy) }
        #expect(FileManager.default.fileExists(atPath: copy + "-journal"))
        #expect(LeftJournal(of: directory.file("none.mbtiles")) == nil)
    }
}
