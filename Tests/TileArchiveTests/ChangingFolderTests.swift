import Foundation
import Geometry
import TestSupport
import Testing

@testable import TileArchive

/// Archives that are folders and are changed file by file.
struct ChangingFolderTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.file("a") }

    private func tile(_ x: UInt32) -> TileID { TileID(z: 4, x: x, y: 1) }

    private var options: SinkOptions {
        var options = SinkOptions()
        (options.replacesExisting, options.mayChange) = (true, true)
        return options
    }

    /// Tiles 0 to 2 and payloads 0 to 2, each of one byte.
    private func write(_ options: SinkOptions) throws {
        let sink = try TileFolder.sink(to: path, options: options)
        for x in UInt32(0)..<3 { try sink.write([tile(x)], gzip: [UInt8(x)].span, ends: [1]) }
        for number in UInt8(0)..<3 { try sink.write(payload: [number].span, sum: "") }
        try sink.finish(ArchiveMetadata(name: "old"))
    }

    /// All files but for the metadata, with their bytes.
    private func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            guard name != "metadata.json" else { continue }
            // Folders are told, too.
            files[name] =
                FileManager.default.contents(atPath: "\(path)/\(name)").map { Array($0) }
                ?? []
        }
        return files
    }

    private let old: [String: [UInt8]] = [
        "4": [], "4/0": [], "4/1": [], "4/2": [], "4/0/1.pbf": [0], "4/1/1.pbf": [1],
        "4/2/1.pbf": [2], "clusters": [], "clusters/0.bin": [0], "clusters/1.bin": [1],
        "clusters/2.bin": [2],
    ]

    private func changing(_ options: SinkOptions) throws -> (any ChangingArchive)? {
        try TileFolder.sink(to: path, options: options).changing(tileBytes: 3)
    }

    private func change(_ archive: any ChangingArchive) throws {
        try archive.set(tile(0), .removed, gzip: [UInt8]().span)
        try archive.set(tile(1), .changed, gzip: [8, 8].span)
        try archive.set(tile(2), .repacked, gzip: [2].span)
        try archive.set(tile(7), .added, gzip: [9].span)
        #expect(archive.keep(payload: 0))
        #expect(!archive.keep(payload: 2))
        try archive.write(payload: [5].span, sum: "")
    }

    @Test func `all changes are there at the end, and none before`() throws {
        try write(options)
        #expect(try files() == old)
        #expect(try Archive(path: path).metadata.tilesHash == nil)
        let archive = try #require(try changing(options))
        try change(archive)
        #expect(try files() == old)
        try archive.finish(ArchiveMetadata(name: "new"))
        var new = old
        for name in ["4/0", "4/0/1.pbf", "clusters/2.bin"] { new[name] = nil }
        new["4/1/1.pbf"] = [8, 8]
        (new["4/7"], new["4/7/1.pbf"], new["clusters/1.bin"]) = ([], [9], [5])
        #expect(try files() == new)
        #expect(try Archive(path: path).metadata.name == "new")
    }

    @Test func `what is dropped before the end leaves the archive as it was`() throws {
        try write(options)
        var archive = try changing(options)
        if let archive { try change(archive) }
        archive = nil
        #expect(try files() == old)
        #expect(try Archive(path: path).metadata.name == "old")
        #expect(directory.names == ["a"])
    }

    @Test func `what lies beside the tiles follows from them, and what is not wanted goes`() throws
    {
        var options = options
        options.folder.companions = { _ in
            [.init("tiles.json", [1]), .init("index.html", [2]), .init("assets/old.js", [3])]
        }
        try write(options)
        let path = path
        options.folder.companions = { archive in
            // All tiles and what the archive says are new by now; what map clients read first is not.
            #expect(archive.metadata.name == "new")
            #expect(FileManager.default.contents(atPath: "\(path)/4/7/1.pbf") == Data([9]))
            #expect(FileManager.default.contents(atPath: "\(path)/tiles.json") == Data([1]))
            return [.init("tiles.json", [7]), .init("assets/new.js", [8])]
        }
        let archive = try #require(try changing(options))
        try change(archive)
        try archive.finish(ArchiveMetadata(name: "new"))
        let names = try files().filter { !$0.key.hasPrefix("4") }
        #expect(
            names == [
                "tiles.json": [7], "assets": [], "assets/new.js": [8],
                "clusters": [], "clusters/0.bin": [0], "clusters/1.bin": [5],
            ])
    }

    @Test func `where what goes beside cannot be made, the archive says what it said before`()
        throws
    {
        struct Given: Error {}
        try write(options)
        var failing = options
        failing.folder.companions = { _ in throw Given() }
        let archive = try #require(try changing(failing))
        try change(archive)
        #expect(throws: ArchiveError.self) {
            try archive.finish(ArchiveMetadata(name: "new"))
        }
        #expect(try Archive(path: path).metadata.name == "old")
        #expect(try files()["4/7/1.pbf"] == [9])
    }

    @Test func `a folder that is not there, has no tile, or is packed otherwise is written anew`()
        throws
    {
        #expect(try changing(options) == nil)
        try write(options)
        #expect(try changing(options) != nil)
        for change in [
            { $0.mayChange = false }, { $0.folder.keepsGzip = true },
        ] as [(inout SinkOptions) -> Void] {
            var other = options
            change(&other)
            #expect(try changing(other) == nil)
        }
        try FileManager.default.removeItem(atPath: path + "/4")
        #expect(try changing(options) == nil)
    }
}
