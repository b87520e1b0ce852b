import Foundation
import Geometry
import TestSupport
import Testing
import TileArchive

struct PublishingTests {
    let directory = try! TemporaryDirectory()
    let tile = TileID(z: 1, x: 0, y: 1)
    let bytes: [UInt8] = [1, 2, 3]

    @Test func `a writer that is dropped leaves nothing behind`() throws {
        do {
            let writer = try MBTilesWriter(to: directory.file("a.mbtiles"))
            try writer.write(tile, gzip: bytes.span)
            #expect(directory.names.count == 1)
        }
        #expect(directory.names == [])
    }

    @Test(arguments: ["a.mbtiles", "a.pmtiles", "a/"])
    func `an archive that is looked at and given up does not appear`(name: String) throws {
        for isWanted in [false, true] {
            var options = SinkOptions()
            options.willPublish = { path in FileManager.default.fileExists(atPath: path) && isWanted
            }
            let path = directory.file(name)
            let container = try #require(ArchiveContainers.container(named: path))
            let sink = try container.sink(to: path, options: options)
            try sink.write([tile], gzip: bytes.span, ends: [bytes.count])
            if isWanted {
                try sink.finish(ArchiveMetadata(name: "a"))
                #expect(try Archive(path: path).metadata.name == "a")
            } else {
                #expect(throws: ArchiveError.cancelled(path: path)) {
                    try sink.finish(ArchiveMetadata(name: "a"))
                }
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }
    }

    @Test(arguments: ["a.mbtiles", "a.pmtiles"])
    func `what replaces a private archive is private from the start`(name: String) throws {
        let path = directory.file(name)
        try Data("old".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        func modes() throws -> [Int?] {
            try directory.names.filter { $0.contains(name) }.map {
                let found = try FileManager.default.attributesOfItem(atPath: directory.file($0))
                return found[.posixPermissions] as? Int
            }
        }
        var options = SinkOptions()
        options.replacesExisting = true
        let container = try #require(ArchiveContainers.container(named: path))
        let sink = try container.sink(to: path, options: options)
        try sink.write([tile], gzip: bytes.span, ends: [bytes.count])
        #expect(try modes() == [0o600, 0o400])
        try sink.finish(ArchiveMetadata(name: "a"))
        #expect(try modes() == [0o400])
    }

    /// The same users can read it. Only root may give files away.
    @Test(.enabled(if: geteuid() == 0), arguments: ["a.mbtiles", "a.pmtiles", "a/"])
    func `what replaces an archive keeps its owner, its group and its permissions`(
        name: String
    ) throws {
        let path = directory.file(name)
        let container = try #require(ArchiveContainers.container(named: path))
        func write(_ options: SinkOptions = SinkOptions()) throws {
            let sink = try container.sink(to: path, options: options)
            try sink.write([tile], gzip: bytes.span, ends: [bytes.count])
            try sink.finish(ArchiveMetadata(name: "a"))
        }
        try write()
        try #require(chown(path, 4_321, 8_765) == 0 && chmod(path, 0o750) == 0)
        var options = SinkOptions()
        options.replacesExisting = true
        try write(options)
        var found = stat()
        try #require(stat(path, &found) == 0)
        #expect(found.st_uid == 4_321 && found.st_gid == 8_765)
        #expect(found.st_mode & 0o7777 == 0o750)
    }

    @Test func `a folder gets no more files once it is given up`() throws {
        var options = SinkOptions()
        options.isCancelled = { true }
        let path = directory.file("a/")
        let sink = try TileFolder.sink(to: path, options: options)
        #expect(throws: ArchiveError.cancelled(path: path)) {
            try sink.write([tile], gzip: bytes.span, ends: [bytes.count])
        }
    }

    @Test func `nothing is there under the name before the end`() throws {
        let path = directory.file("a.mbtiles")
        let writer = try MBTilesWriter(to: path)
        #expect(!FileManager.default.fileExists(atPath: path))
        try writer.finish(ArchiveMetadata(name: "a"))
        #expect(directory.names == ["a.mbtiles"])
    }

    @Test func `an existing archive is refused first, or replaced last`() throws {
        let path = directory.file("a.mbtiles")
        try Data("old".utf8).write(to: URL(filePath: path))
        #expect(throws: ArchiveError.exists(path: path)) { _ = try MBTilesWriter(to: path) }
        var options = SinkOptions()
        options.replacesExisting = true
        let writer = try MBTilesWriter(to: path, options: options)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
        try writer.finish(ArchiveMetadata(name: "new"))
        #expect(try Archive(path: path).metadata.name == "new")
        #expect(directory.names == ["a.mbtiles"])
    }

    @Test func `an archive that appears meanwhile is not overwritten`() throws {
        let path = directory.file("a.mbtiles")
        let writer = try MBTilesWriter(to: path)
        try Data("other".utf8).write(to: URL(filePath: path))
        #expect(failure(of: writer) == .exists(path: path))
        #expect(directory.names == ["a.mbtiles"])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
    }

    @Test func `an output whose file is gone says so, and not that the disk is full`() throws {
        let path = directory.file("a.mbtiles")
        let writer = try MBTilesWriter(to: path)
        // So many bytes that the file is begun.
        let large = [UInt8](repeating: 7, count: 2 << 20)
        try writer.write(tile, gzip: large.span)
        for name in directory.names {
            try FileManager.default.removeItem(atPath: directory.file(name))
        }
        guard case .cannotWrite(path, let reason)? = failure(of: writer) else {
            Issue.record("another error, or none")
            return
        }
        #expect(reason.contains("No such file"))
        #expect(directory.names == [])
    }

    @Test func `an output without a directory, or that is one, is refused at once`() throws {
        let nowhere = directory.file("none/a.mbtiles")
        let error = #expect(throws: ArchiveError.self) { _ = try MBTilesWriter(to: nowhere) }
        #expect(error?.description.contains("No such file or directory") == true)
        #expect(
            throws: ArchiveError.cannotWrite(path: directory.path, reason: "it is a directory")
        ) {
            _ = try MBTilesWriter(to: directory.path)
        }
    }

    @Test(arguments: ["-wal", "-journal"])
    func `a journal beside the output is refused, for SQLite would apply it`(
        suffix: String
    ) throws {
        let path = directory.file("a.mbtiles")
        try Data("journal".utf8).write(to: URL(filePath: path + suffix))
        #expect(throws: ArchiveError.inUse(path: path)) { _ = try MBTilesWriter(to: path) }
    }

    @Test(arguments: [77, 1_999] as [UInt32])
    func `a tile that was written twice is named`(x: UInt32) throws {
        let path = directory.file("a.mbtiles")
        let writer = try MBTilesWriter(to: path)
        for x in UInt32(0)..<2_000 { try writer.write(TileID(z: 11, x: x, y: 9), gzip: bytes.span) }
        try writer.write(TileID(z: 11, x: x, y: 9), gzip: bytes.span)
        let error = failure(of: writer)
        #expect(error == .duplicateTile(path: path, TileID(z: 11, x: x, y: 9)))
        #expect(directory.names == [])
    }

    @Test func `the end can be cancelled`() throws {
        let path = directory.file("a.mbtiles")
        var options = SinkOptions()
        options.isCancelled = { true }
        let error = failure(of: try MBTilesWriter(to: path, options: options), writing: 30_000)
        #expect(error == .cancelled(path: path))
        #expect(directory.names == [])
    }

    @Test func `a full disk is one clear error`() throws {
        let mount = directory.file("small")
        try FileManager.default.createDirectory(
            atPath: mount, withIntermediateDirectories: false)
        guard run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mount) else {
            #expect(mayLeaveOut("mounting a small tmpfs takes rights that this test has not"))
            return
        }
        defer { _ = run("umount", mount) }
        let path = mount + "/a.mbtiles"
        let error = failure(of: try MBTilesWriter(to: path), writing: 40, large: true)
        #expect(error == .diskFull(path: path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: mount) == [])
    }

    /// Why the writer fails, if it does, while it writes so many tiles or finishes.
    private func failure(
        of writer: consuming MBTilesWriter, writing count: UInt32 = 0, large isLarge: Bool = false
    ) -> ArchiveError? {
        do throws(ArchiveError) {
            for number in 0..<count {
                // None twice: what is equal is stored once.
                let bytes = [UInt8](repeating: UInt8(number % 256), count: isLarge ? 50_000 : 3)
                try writer.write(TileID(z: 15, x: number, y: 0), gzip: bytes.span)
            }
            try writer.finish(ArchiveMetadata(name: "a"))
            return nil
        } catch {
            return error
        }
    }

    private func run(_ words: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        try? process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
