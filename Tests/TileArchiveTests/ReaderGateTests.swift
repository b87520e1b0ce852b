import Foundation
import Geometry
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import TileArchive

/// Archives that are changed while other programs read them.
struct ReaderGateTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.file("a.mbtiles") }

    private func tile(_ x: UInt32) -> TileID { TileID(z: 9, x: x, y: 1) }

    /// Tiles 0 to 2, each of one byte.
    private func write() throws {
        var options = SinkOptions()
        options.mayChange = true
        let sink = try MBTiles.sink(to: path, options: options)
        for x in UInt32(0)..<3 { try sink.write([tile(x)], gzip: [UInt8(x)].span, ends: [1]) }
        try sink.finish(ArchiveMetadata(name: "old"))
    }

    private func tiles() throws -> [[UInt8]] {
        let database = try Database(path: path, mode: .readOnly)
        var rows = try database.prepare("SELECT tile_data FROM tiles ORDER BY tile_column")
        var all: [[UInt8]] = []
        while try rows.step() {
            let bytes = rows.blob(at: 0)
            all.append(bytes.indices.map { bytes[$0] })
        }
        return all
    }

    /// Locks what SQLite's readers lock, as another program would.
    private func readLock() throws -> File {
        let file = try File(writing: path)
        let isLocked = file.lock(0x4000_0002..<0x4000_0200, exclusively: false)
        #expect(isLocked)
        return file
    }

    private func changes(
        patience: Duration, isCancelled: @escaping () -> Bool = { false }
    ) throws -> MBTilesChanges {
        let changing = try #require(
            try MBTilesChanges(path, tileBytes: 3, patience: patience, isCancelled: isCancelled))
        try changing.set(tile(1), .changed, gzip: [8, 8].span)
        return changing
    }

    @Test func `while changes wait for one reader, others may read`() throws {
        try write()
        let isDone = Atomic(false)
        let other = try readLock()
        let change = Thread {
            #expect(throws: Never.self) {
                try changes(patience: .seconds(60)).finish(
                    ArchiveMetadata(name: "new"))
            }
            isDone.store(true, ordering: .releasing)
        }
        change.start()
        for _ in 0..<40 {
            // The old tiles: the changes wait.
            let database = try Database(path: path, mode: .readOnly)
            database.setBusyTimeout(milliseconds: 2_000)
            #expect(try database.integer("SELECT sum(length(tile_data)) FROM tiles") == 3)
            usleep(50_000)
        }
        let wasEarly = isDone.load(ordering: .acquiring)
        #expect(!wasEarly)
        other.unlock(0x4000_0002..<0x4000_0200)
        while !isDone.load(ordering: .acquiring) { usleep(10_000) }
        #expect(try tiles() == [[0], [8, 8], [2]])
    }

    @Test
    func `changes that wait in vain, or are cancelled meanwhile, leave the archive as it was`()
        throws
    {
        try write()
        let other = try readLock()
        for isCancelled in [false, true] {
            let changing = try changes(patience: .milliseconds(300)) { isCancelled }
            let error: ArchiveError = isCancelled ? .cancelled(path: path) : .locked(path: path)
            #expect(throws: error) {
                try changing.finish(ArchiveMetadata(name: "new"))
            }
        }
        #expect(try tiles() == [[0], [1], [2]])
        extendLifetime(other)
        #expect(directory.names == ["a.mbtiles"])
    }
}
