import ArchiveContract
import Recipes
import Foundation
import Geometry
import JSON
import TestSupport
import Testing
import TileArchive
import Tileset
import VectorTile

struct CrowdingTests {
    /// Many points within one street, some of them at one site, and a few far away.
    static func crowd(_ count: Int) -> [SamplePoint] {
        var random = SeededRandom(seed: 41)
        return (0..<count).map { index in
            let isThere = index % 20 != 0
            let spread = index % 3 == 0 ? 0 : 0.002
            return SamplePoint(
                place: isThere
                    ? LonLat(
                        longitude: 13.4 + (random.unit() - 0.5) * spread,
                        latitude: 52.5 + (random.unit() - 0.5) * spread)
                    : LonLat(longitude: random.unit() * 20, latitude: random.unit() * 20))
        }
    }

    @Test func `crowded tiles keep their clusters, and nothing is lost`() throws {
        let count = 3_000
        let baked = try BakedArchive(
            Self.crowd(count), layer: ["clusters": ["radius": 40, "maxZoom": 5]],
            tiles: ["maxZoom": 10, "maxFeatures": 200])
        for zoom in UInt8(0)...10 {
            let nodes = baked.nodes(at: zoom)
            #expect(nodes.reduce(0) { $0 + $1.pointCount } == count)
            let fullest = Dictionary(grouping: nodes, by: \.tile).values.map(\.count).max() ?? 0
            if zoom > 5 { #expect(fullest <= 200) }
        }
        // Away from the crowd, points stand alone as soon as the cluster zooms end.
        let alone = baked.nodes(at: 6).count { !$0.isCluster }
        #expect(alone >= 140)
        let held = baked.nodes(at: 10).filter(\.isCluster)
        #expect(held.contains { $0.integer("expansion_zoom") == 11 })
        #expect(baked.report.layers[0].heldClusters > 0)
        let described = try #require(baked.archive.description).get().layers[0]
        #expect(described.clustering?.heldMaxZoom == 10)
        for cluster in held {
            let indexed = try baked.indexed(Int64(cluster.id ?? 0))
            #expect(indexed.count == cluster.pointCount)
        }
    }

    @Test func `a layer is held together whatever layers come before it`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.crowd(600).map(\.line).joined(separator: "\n").write(
            to: folder.appending(path: "in.geojsonl"), atomically: true, encoding: .utf8)
        let recipe = try Recipe(
            reading: JSONNode([
                "tiles": ["maxZoom": 8, "maxFeatures": 100],
                "layers": [
                    ["name": "raw", "sources": ["in.geojsonl"], "clusters": false],
                    ["name": "deep", "sources": ["in.geojsonl"]],
                    ["name": "held", "sources": ["in.geojsonl"], "clusters": ["maxZoom": 4]],
                ],
            ]))
        var options = BuildOptions()
        options.sourceDirectory = folder.path
        let report = try TilesetBuild(
            recipe, to: folder.appending(path: "out.mbtiles").path, options: options
        ).run()
        #expect(report.layers[0].heldClusters == 0)
        #expect(report.layers[1].heldClusters > 0 && report.layers[2].heldClusters > 0)
        #expect(report.zooms.allSatisfy { $0.pointCount == 1_800 })
        // One that nothing holds together does not say so.
        let plain = try BakedArchive(Self.crowd(40), tiles: ["maxZoom": 4])
        let described = try #require(plain.archive.description).get().layers[0]
        #expect(described.clustering != nil && described.clustering?.heldMaxZoom == nil)
    }

    @Test func `points at one site never come apart, and say so`() throws {
        let points = Array(
            repeating: SamplePoint(place: LonLat(longitude: 7, latitude: 46)), count: 5_000)
        let baked = try BakedArchive(
            points, tiles: ["maxZoom": 4, "maxFeatures": 100])
        for zoom in UInt8(0)...4 {
            let nodes = baked.nodes(at: zoom)
            #expect(nodes.map(\.pointCount) == [5_000])
            #expect(nodes[0].integer("expansion_zoom") == 5)
        }
    }
}
