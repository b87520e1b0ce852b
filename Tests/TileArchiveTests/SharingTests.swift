import Compression
import Foundation
import Geometry
import SQLite
import TestSupport
import Testing
import TileArchive

/// Archives that several threads read at once, other programs read, or that cannot be written.
struct SharingTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.file("a.mbtiles") }

    @Test func `several threads read one archive at once`() async throws {
        let sample = SampleTiles(count: 500, seed: 1)
        try sample.write(sample.sorted, to: path)
        let archive = try Archive(path: path)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var reader = try archive.openTiles()
                    return try sample.tiles.count { try reader.tile(at: $0.key) == $0.value }
                }
            }
            for try await matches in group { #expect(matches == sample.tiles.count) }
        }
    }

    @Test(arguments: [0, 1 << 20])
    func `the size of the cache changes no answer, and a log beside the file is heeded`(
        cache: Int
    ) throws {
        let sample = SampleTiles(count: 200, seed: 3)
        try sample.write(sample.sorted, to: path)
        var reader = try Archive(path: path).openTiles(cacheBytes: cache)
        for (id, bytes) in sample.tiles { #expect(try reader.tile(at: id) == bytes) }
        let writer = try Database(path: path, mode: .readWriteCreate)
        try writer.execute("PRAGMA journal_mode = WAL; UPDATE tiles SET tile_data = 'new'")
        var next = try Archive(path: path).openTiles(cacheBytes: cache)
        for id in sample.tiles.keys { #expect(try next.tile(at: id) == Array("new".utf8)) }
    }

    @Test func `a log in a read-only place is an error only if it holds changes`() throws {
        let sample = SampleTiles(count: 3, seed: 2)
        try sample.write(sample.sorted, to: path)
        let mount = directory.file("mount")
        try FileManager.default.createDirectory(
            atPath: mount, withIntermediateDirectories: false)
        guard run("mount", "-t", "tmpfs", "tmpfs", mount) else {
            #expect(mayLeaveOut("mounting takes rights that this test has not"))
            return
        }
        defer { run("umount", mount) }
        try Database(path: path, mode: .readWriteCreate).execute("PRAGMA journal_mode = WAL")
        try FileManager.default.copyItem(atPath: path, toPath: mount + "/clean.mbtiles")
        let writer = try Database(path: path, mode: .readWriteCreate)
        try writer.execute("INSERT INTO metadata VALUES ('more', '1')")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: path + suffix, toPath: mount + "/changed.mbtiles" + suffix)
        }
        try #require(run("mount", "-o", "remount,ro", mount))
        var reader = try Archive(path: mount + "/clean.mbtiles").openTiles()
        #expect(try reader.tile(at: sample.sorted[1]) == sample.tiles[sample.sorted[1]])
        let changed = mount + "/changed.mbtiles"
        #expect(throws: ArchiveError.unappliedChanges(path: changed)) { try Archive(path: changed) }
    }

    @Test func `GDAL opens what was written`() throws {
        var metadata = ArchiveMetadata(name: "for GDAL")
        metadata.minZoom = 0
        metadata.maxZoom = 0
        metadata.vectorLayers = [VectorLayer(id: "spots", fields: [])]
        // One layer "spots" of extent 4096, with one point at its middle (MVT 4.1 to 4.3).
        let tile: [UInt8] = [
            0x1A, 23, 0x0A, 5, 0x73, 0x70, 0x6F, 0x74, 0x73, 0x12, 9, 0x18, 1, 0x22, 5, 9, 0x80,
            0x20, 0x80, 0x20, 0x28, 0x80, 0x20, 0x78, 2,
        ]
        var compressor = GzipCompressor()
        let packed = compressor.compress(tile.span)
        let writer = try MBTilesWriter(to: path)
        try writer.write(TileID(z: 0, x: 0, y: 0), gzip: packed.span)
        try writer.finish(metadata)
        let output = directory.file("ogrinfo.txt")
        guard run("sh", "-c", "command -v ogrinfo >/dev/null") else {
            #expect(mayLeaveOut("ogrinfo is not installed"))
            return
        }
        #expect(run("sh", "-c", "ogrinfo -al '\(path)' > '\(output)'"))
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(text.contains("Layer name: spots") && text.contains("Feature Count: 1"))
        #expect(text.contains("POINT (0 0)"))
    }

    @discardableResult
    private func run(_ words: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
