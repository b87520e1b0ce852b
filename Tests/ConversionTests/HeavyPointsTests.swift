import ArchiveContract
import ClusterQueries
import Compression
import Conversion
import Inspection
import Testing
import TileArchive

/// Points that carry so much that blocks of the usual size would be too large to fetch.
struct HeavyPointsTests {
    let files = try! BakedFiles()

    private func built(_ name: String) throws -> Archive {
        let points = try files.points("heavy", count: 2_000, seed: 3, text: 512)
        return try files.build(name, [("heavy", points)], tiles: ["maxZoom": 5])
    }

    @Test func `a cluster block with all that it holds is small enough for any answer`() throws {
        let archive = try built("a.mbtiles")
        let count = try #require(archive.description?.get().blocks?.count)
        #expect((8...24).contains(count))
        let source = try #require(try archive.contents.clusterPayloads())
        for number in 0..<count {
            #expect(try #require(try source.bytes(ofPayload: number)).count < 250_000)
        }
    }

    @Test func `answers are those of the database, and nothing is found wrong`() throws {
        let database = try built("a.mbtiles")
        let (archive, _) = try files.convert(database, "a.pmtiles")
        let (folder, _) = try files.convert(archive, "a/")
        let (back, _) = try files.convert(folder, "b.mbtiles")
        let expected = try Contents(of: database)
        for archive in [archive, folder, back] {
            #expect(try Contents(of: archive) == expected)
            #expect(try Verification(of: archive, threads: 2, isDeep: true).findings.all.isEmpty)
        }
        var a = try ClusterQuery(database)
        var b = try ClusterQuery(archive)
        for case .cluster(let row) in expected.clusters {
            let id = a.description.id(of: row)
            #expect(try b.leaves(of: id).map(\.number) == Array(row.leaves))
            #expect(try b.hull(of: id) == a.hull(of: id))
            #expect(try b.box(of: id) == a.box(of: id))
            #expect(try b.children(of: id) == a.children(of: id))
        }
    }

    @Test func `a conversion makes the blocks that a build makes`() throws {
        let points = try files.points("heavy", count: 2_000, seed: 3, text: 512)
        let (converted, _) = try files.convert(built("a.mbtiles"), "a.pmtiles")
        let built = try files.build("b.pmtiles", [("heavy", points)], tiles: ["maxZoom": 5])
        #expect(try converted.description?.get().blocks == built.description?.get().blocks)
    }

    @Test func `layers that are joined keep their blocks`() throws {
        let heavy = try files.points("heavy", count: 1_500, seed: 4, text: 512)
        let light = try files.points("light", count: 5_100, seed: 5)
        let parts = try [("light", light), ("heavy", heavy)].map { layer in
            try files.build("\(layer.0).mbtiles", [layer], tiles: ["maxZoom": 4])
        }
        let sizes = try parts.map { try $0.leafBlockTable().count }
        #expect((2...4).contains(sizes[0]) && (4...12).contains(sizes[1]))
        let whole = try files.build(
            "whole.mbtiles", [("light", light), ("heavy", heavy)], tiles: ["maxZoom": 4])
        let path = files.file("joined.mbtiles")
        _ = try ArchiveJoin(parts, to: path, in: MBTiles.self, options: ConversionOptions()).run()
        let joined = try Archive(path: path)
        #expect(try Contents(of: joined) == Contents(of: whole))
        #expect(try joined.description?.get() == whole.description?.get())
    }
}
