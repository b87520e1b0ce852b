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

struct BuildTests {
    static let points = SamplePoint.towns(1_500, seed: 21)
    static let settings: JSONValue = [
        "clusters": ["radius": 40, "aggregates": ["sum": "sum:n", "kinds": "distinct:kind"]]
    ]

    @Test(arguments: ["spaced", "greedy", "grid"])
    func `at every zoom the features stand for all points`(algorithm: String) throws {
        let baked = try BakedArchive(
            Self.points, layer: ["clusters": ["radius": 40, "algorithm": .string(algorithm)]],
            tiles: ["maxZoom": 9])
        for zoom in UInt8(0)...9 {
            let nodes = baked.nodes(at: zoom)
            #expect(nodes.reduce(0) { $0 + $1.pointCount } == 1_500)
            #expect(Set(nodes.compactMap(\.id)).count == nodes.count { $0.id != nil })
        }
        #expect(baked.report.zooms.allSatisfy { $0.pointCount == 1_500 })
        #expect(baked.nodes(at: 9).allSatisfy { !$0.isCluster })
        #expect(baked.nodes(at: 8).contains { $0.isCluster })
    }

    @Test func `a copy in a margin is the same feature as the one it copies`() throws {
        let baked = try BakedArchive(
            Self.points, layer: Self.settings, tiles: ["maxZoom": 8, "buffer": 64])
        var copies = 0
        for zoom in UInt8(1)...8 {
            let own = Dictionary(grouping: baked.nodes(at: zoom), by: \.worldPlace)
            for (id, tile) in baked.tiles where id.z == zoom {
                for layer in tile.layers {
                    for feature in layer.features {
                        let copy = DrawnFeature(feature, in: id, extent: layer.extent)
                        guard !copy.isOwn else { continue }
                        copies += 1
                        let originals = own[copy.worldPlace] ?? []
                        #expect(originals.contains { $0.id == copy.id && $0.tags == copy.tags })
                    }
                }
            }
        }
        #expect(copies > 100)
    }

    @Test func `clusters carry their count, its short form, and what they add up`() throws {
        let baked = try BakedArchive(Self.points, layer: Self.settings, tiles: ["maxZoom": 6])
        let total = Self.points.reduce(0) { sum, point in
            sum + Int(point.properties[0].1.asNumber ?? 0)
        }
        for zoom in UInt8(0)...6 {
            let nodes = baked.nodes(at: zoom)
            #expect(nodes.reduce(0) { $0 + ($1.integer("sum") ?? $1.integer("n") ?? 0) } == total)
            for cluster in nodes where cluster.isCluster {
                #expect(cluster.integer("cluster_id") == cluster.id.map(Int.init))
                #expect(cluster.integer("expansion_zoom").map { $0 > zoom && $0 <= 6 } ?? false)
                let count = cluster.pointCount
                let short = cluster.tags["point_count_abbreviated"]
                if count < 1_000 { #expect(short == .string("\(count)")) }
                #expect((1...3).contains(cluster.integer("kinds") ?? 0))
            }
        }
    }

    @Test func `the same bytes come from any number of threads and any order of the input`() throws
    {
        let one = try BakedArchive(Self.points, layer: Self.settings, threads: 1)
        let bytes = one.bytes
        #expect(bytes.count > 10_000)
        for threads in [2, 8] {
            let other = try BakedArchive(Self.points, layer: Self.settings, threads: threads)
            #expect(other.bytes == bytes)
        }
        var random = SeededRandom(seed: 22)
        let shuffled = try BakedArchive(
            Self.points.shuffled(using: &random), layer: Self.settings)
        #expect(shuffled.bytes == bytes)
    }

    @Test func `the cluster index and the leaf blocks tell what the tiles show`() throws {
        let baked = try BakedArchive(Self.points, layer: Self.settings, tiles: ["maxZoom": 7])
        for zoom in UInt8(0)...6 {
            for cluster in baked.nodes(at: zoom) where cluster.isCluster {
                let indexed = try baked.indexed(Int64(cluster.id ?? 0))
                #expect(indexed.count == cluster.pointCount)
                #expect(indexed.expansionZoom == cluster.integer("expansion_zoom"))
                #expect(indexed.childCounts.reduce(0, +) == cluster.pointCount)
                #expect(indexed.childCounts.count > 1)
            }
        }
    }

    @Test func `leaf blocks have all points, and every cluster is indexed`() throws {
        let points = SamplePoint.towns(9_000, seed: 12)
        let baked = try BakedArchive(points, layer: Self.settings, tiles: ["maxZoom": 5])
        let count = try baked.archive.leafBlockTable().count
        let blocks = try (0..<count).map { try baked.leafBlock($0) }
        #expect(blocks.allSatisfy { $0.layers.map(\.name) == ["points"] })
        let counts = blocks.map { $0.layers[0].features.count }
        #expect(counts.reduce(0, +) == 9_000 && counts.allSatisfy { $0 <= 4_000 })
        for cluster in baked.nodes(at: 3) where cluster.isCluster {
            #expect(try baked.indexed(Int64(cluster.id ?? 0)).count == cluster.pointCount)
        }
    }

    @Test func `layers are clustered apart and share the archive`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, seed) in [("a", UInt64(31)), ("b", 32)] {
            let text = SamplePoint.towns(400, seed: seed).map(\.line).joined(separator: "\n")
            try text.write(
                to: folder.appendingPathComponent("\(name).geojsonl"), atomically: true,
                encoding: .utf8)
        }
        let recipe = try Recipe(
            reading: JSONNode([
                "tiles": ["maxZoom": 5],
                "layers": [
                    ["name": "a", "sources": ["a.geojsonl"]],
                    ["name": "b", "sources": ["b.geojsonl"]],
                    ["name": "raw", "sources": ["a.geojsonl"], "clusters": false],
                ],
            ]))
        let path = folder.appendingPathComponent("out.mbtiles").path
        var options = BuildOptions()
        options.sourceDirectory = folder.path
        let report = try TilesetBuild(recipe, to: path, options: options).run()
        #expect(report.layers.map(\.points) == [400, 400, 400])
        #expect(report.layers[2].clusters == 0)
        #expect(report.zooms.allSatisfy { $0.pointCount == 1_200 })
        let archive = try Archive(path: path)
        #expect(archive.metadata.vectorLayers.map(\.id) == ["a", "b", "raw"])
    }
}

struct BuildFailureTests {
    @Test func `an existing archive is left alone unless it may be replaced`() throws {
        let baked = try BakedArchive(Array(BuildTests.points.prefix(50)))
        let before = baked.bytes
        let input = baked.directory.appendingPathComponent("in.geojsonl").path
        let recipe = try Recipe(
            reading: JSONNode(["layers": [["name": "x", "sources": [.string(input)]]]]))
        #expect(throws: ArchiveError.exists(path: baked.path)) {
            try TilesetBuild(recipe, to: baked.path).run()
        }
        #expect(baked.bytes == before)
        var options = BuildOptions()
        options.replacesExisting = true
        _ = try TilesetBuild(recipe, to: baked.path, options: options).run()
        #expect(baked.bytes != before)
    }

    @Test func `a build that is cancelled leaves nothing behind`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appendingPathComponent("in.geojsonl")
        try BuildTests.points.map(\.line).joined(separator: "\n").write(
            to: input, atomically: true, encoding: .utf8)
        let recipe = try Recipe(
            reading: JSONNode(["layers": [["name": "x", "sources": [.string(input.path)]]]]))
        var options = BuildOptions()
        options.isCancelled = { true }
        let path = folder.appendingPathComponent("out.mbtiles").path
        #expect(throws: BuildError.cancelled) {
            try TilesetBuild(recipe, to: path, options: options).run()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["in.geojsonl"])
    }

    @Test func `a build that needs more memory than it may use is refused before it starts`() throws
    {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appendingPathComponent("in.geojsonl")
        try BuildTests.points.map(\.line).joined(separator: "\n").write(
            to: input, atomically: true, encoding: .utf8)
        let recipe = try Recipe(
            reading: JSONNode(["layers": [["name": "x", "sources": [.string(input.path)]]]]))
        var options = BuildOptions()
        options.memory = 400_000
        options.isCancelled = { true }
        let path = folder.path + "/out.mbtiles"
        #expect {
            try TilesetBuild(recipe, to: path, options: options).run()
        } throws: { error in
            guard case BuildError.notEnoughMemory(let needed, let allowed) = error else {
                return false
            }
            // 1,500 points of some 410 bytes each.
            return allowed == 400_000 && (550_000...650_000).contains(needed)
        }
    }

    @Test func `no points at all is an error that says where`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appendingPathComponent("in.geojson")
        try #"{"type":"FeatureCollection","features":[]}"#.write(
            to: input, atomically: true, encoding: .utf8)
        let recipe = try Recipe(
            reading: JSONNode(["layers": [["name": "x", "sources": [.string(input.path)]]]]))
        #expect {
            try TilesetBuild(recipe, to: folder.path + "/out.mbtiles").run()
        } throws: { error in
            guard case .noPoints(["x"], let accounts)? = error as? BuildError else { return false }
            return accounts.count == 1 && accounts[0].hasPrefix("read 0 ")
        }
    }
}

struct AbbreviatedCountTests {
    @Test(arguments: [
        (UInt64(1), "1"), (999, "999"), (1_000, "1k"), (1_049, "1k"), (1_050, "1.1k"),
        (1_234, "1.2k"), (9_949, "9.9k"), (9_950, "10k"), (9_999, "10k"), (10_499, "10k"),
        (10_500, "11k"), (999_499, "999k"), (999_500, "1M"), (1_234_567, "1.2M"),
        (12_345_678, "12M"), (1_500_000_000, "1.5G"),
    ])
    func `counts are shortened as markers show them`(count: UInt64, text: String) {
        #expect(AbbreviatedCount(count).text == text)
    }
}
