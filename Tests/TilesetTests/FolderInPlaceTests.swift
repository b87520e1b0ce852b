import Foundation
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// Updates that change an archive which is a folder file by file.
struct FolderInPlaceTests {
    private func living(zoom: Int = 4, _ folder: FolderOptions = .init()) throws -> LivingPoints {
        let living = try LivingPoints(
            ["tiles": ["maxZoom": .integer(Int64(zoom))], "layer": ["clusters": ["radius": 40]]],
            ending: "/", seed: 18)
        living.folderOptions = folder
        for _ in 0..<400 { _ = living.add() }
        (living.job, living.cellZoom) = (living.path("job"), 2)
        try living.build(to: living.archive)
        living.cellZoom = nil
        return living
    }

    /// Which file each name of the archive has.
    private func files(of living: LivingPoints) throws -> [String: UInt64] {
        var files: [String: UInt64] = ["": try inode(living.archive)]
        for name in try FileManager.default.subpathsOfDirectory(atPath: living.archive) {
            files[name] = try inode(living.archive + name)
        }
        return files
    }

    private func inode(_ path: String) throws -> UInt64 {
        let known = try FileManager.default.attributesOfItem(atPath: path)
        return try #require((known[.systemFileNumber] as? NSNumber)?.uint64Value)
    }

    /// Some points come, some go and some move; the archive is that of a build then.
    private func change(_ living: LivingPoints, _ count: Int = 10) throws -> UpdateReport {
        var ids = (0..<count).map { _ in living.add() }
        var gone: [UInt64] = []
        for _ in 0..<count {
            let (old, moved) = (try #require(living.someID), try #require(living.someID))
            living.points[old] = nil
            gone.append(old)
            guard moved != old else { continue }
            living.points[moved] = living.anyPoint()
            ids.append(moved)
        }
        ids.removeAll { living.points[$0] == nil }
        return try PartUpdateTests.update(living, Set(ids).sorted(), gone: Set(gone).sorted())
    }

    @Test(arguments: [false, true])
    func `files that differ get their places, and all others stay`(keepsGzip: Bool) throws {
        var folder = FolderOptions()
        folder.keepsGzip = keepsGzip
        let living = try living(folder)
        for _ in 0..<4 {
            let (before, files) = (
                try living.contents(of: living.archive), try files(of: living)
            )
            let report = try change(living)
            let (after, now) = (
                try living.contents(of: living.archive), try self.files(of: living)
            )
            #expect(report.build.changedTiles != nil)
            for (name, bytes) in after where before[name] == bytes && name != "metadata.json" {
                #expect(files[name] == now[name], "\(name)")
            }
            #expect(files[""] == now[""])
            #expect(files["metadata.json"] != now["metadata.json"])
            // Nothing is left beside it.
            let beside = try FileManager.default.contentsOfDirectory(atPath: living.folder.path)
            #expect(beside.filter { $0.hasPrefix(".") } == [])
        }
    }

    @Test func `a folder whose files are to be packed otherwise is written anew`() throws {
        let living = try living()
        let folder = try inode(living.archive)
        living.folderOptions.keepsGzip = true
        #expect(try change(living).build.changedTiles == nil)
        #expect(try inode(living.archive) != folder)
    }

    @Test func `what lies beside the tiles follows, and goes where it is not wanted any more`()
        throws
    {
        var folder = FolderOptions()
        folder.companions = { archive in
            var bytes: [UInt8] = []
            var walk = try archive.scan()
            while let tile = try walk.next() { bytes += Array("\(tile) ".utf8) }
            return [
                .init("assets/tiles.tree", bytes), .init("index.html", [1]),
                .init("tiles.json", Array("\(archive.metadata.keptPoints ?? "")".utf8)),
            ]
        }
        let living = try living(folder)
        #expect(try change(living).build.changedTiles != nil)
        living.folderOptions.companions = nil
        #expect(try change(living).build.changedTiles != nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: living.archive)
        #expect(!names.contains("index.html") && !names.contains("assets"))
    }

    @Test func `a folder that was left between the old and the new is written anew`() throws {
        struct Given: Error {}
        let living = try living()
        let (old, points) = (try inode(living.archive), living.points)
        living.folderOptions.companions = { _ in throw Given() }
        #expect(throws: (any Error).self) { try change(living) }
        living.points = points
        living.folderOptions.companions = nil
        let report = try change(living)
        #expect(report.build.changedTiles == nil)
        #expect(try inode(living.archive) != old)
        #expect(try change(living).build.changedTiles != nil)
    }

    @Test func `a tile that is gone or another comes back where it changes`() throws {
        let living = try living()
        for name in ["0/0/0.pbf", "1/0/0.pbf", "1/1/0.pbf"] {
            try FileManager.default.removeItem(atPath: living.archive + name)
        }
        try Data([1]).write(to: URL(filePath: living.archive + "1/0/1.pbf"))
        try FileManager.default.removeItem(atPath: living.archive + "1/1")
        let ids = living.points.keys.sorted()
        for id in ids.prefix(100) { living.points[id] = living.anyPoint() }
        let report = try PartUpdateTests.update(living, Array(ids.prefix(100)), gone: [])
        #expect(report.build.changedTiles != nil)
    }

    @Test func `a link among the tiles leads nowhere`() throws {
        let living = try living(zoom: 3)
        let outside = living.path("outside")
        try FileManager.default.createDirectory(
            atPath: outside, withIntermediateDirectories: false)
        for column in try FileManager.default.contentsOfDirectory(atPath: living.archive + "3") {
            let path = living.archive + "3/\(column)"
            try FileManager.default.moveItem(atPath: path, toPath: outside + "/\(column)")
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: outside + "/\(column)")
        }
        let names = try FileManager.default.subpathsOfDirectory(atPath: outside)
        let inodes = try names.map { try inode("\(outside)/\($0)") }
        #expect(throws: (any Error).self) { try change(living) }
        #expect(try names.map { try inode("\(outside)/\($0)") } == inodes)
    }
}
