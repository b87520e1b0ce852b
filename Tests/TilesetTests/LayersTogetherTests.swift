import Geometry
import JSON
import MessageTiles
import TestSupport
import Testing
import TileArchive
import Tileset
import VectorTile

/// Layers that are built together, with all that may stand beside each, against each of them alone.
struct LayersTogetherTests {
    /// A feature without what the other layers of an archive have a say in: the number of its own.
    private struct Drawn: Hashable {
        var id: UInt64?
        var type: GeometryType
        var geometry: [UInt32]
        var tags: [String: TileValue]

        init(_ feature: Tile.Feature, ofLayer number: UInt64) {
            (id, type, geometry) = (feature.id, feature.type, feature.geometry)
            tags = Dictionary(
                feature.tags.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
            if tags["cluster"] != nil { id = id.map { $0 - number << 47 } }
            for name in ["cluster_id", "parent"] {
                if case .uint(let own)? = tags[name] { tags[name] = .uint(own - number << 47) }
            }
        }
    }

    /// By tile: the names of its layers in their order, and the features of each.
    private static func tiles(
        _ builds: CellBuildTests.Builds, numbered numbers: [String: UInt64]
    ) throws -> [TileID: [(name: String, extent: UInt32, features: [Drawn])]] {
        _ = try builds.build("a.mbtiles")
        let archive = try Archive(path: builds.path("a.mbtiles"))
        var lookup = try archive.openTiles()
        var scan = try archive.scan()
        var found: [TileID: [(name: String, extent: UInt32, features: [Drawn])]] = [:]
        while let id = try scan.next() {
            let bytes = try #require(try lookup.inflatedTile(at: id, limit: 1 << 24))
            found[id] = try Tile(bytes.span).layers.map { layer in
                let own = String(layer.name.prefix { $0 != "_" })
                let number = numbers[own] ?? 0
                return (
                    layer.name, layer.extent, layer.features.map { Drawn($0, ofLayer: number) }
                )
            }
        }
        return found
    }

    /// Points a third of which share places, and one attribute.
    private static func points(_ seed: UInt64) -> [SamplePoint] {
        var points = SamplePoint.towns(60, seed: seed)
        points += points.prefix(10).flatMap { [$0, $0] }
        return points
    }

    @Test(
        arguments: [
            ["spread": 20, "heat": true, "bins": "hexagon:128"],
            ["spread": 30, "bins": "square:128", "binsMaxZoom": 3], ["heat": true, "buffer": 40],
        ] as [JSONObject])
    func `each layer is in each tile what it is in an archive of its own`(
        companions: JSONObject
    ) throws {
        var tiles = companions
        tiles["maxZoom"] = 4
        let settings: [JSONValue] = [
            ["clusters": ["radius": 40, "fields": ["parent"], "aggregates": ["s": "sum:n"]]],
            ["clusters": ["radius": 80, "algorithm": "greedy"]], ["clusters": false],
        ]
        let layers = settings.enumerated().map { (Self.points(UInt64($0) + 70), $1) }
        let together = try Self.tiles(
            CellBuildTests.Builds(layers, tiles: .object(tiles)),
            numbered: ["layer0": 0, "layer1": 1, "layer2": 2])
        var seen = 0
        for (number, layer) in layers.enumerated() {
            let alone = try Self.tiles(
                CellBuildTests.Builds([layer], tiles: .object(tiles)), numbered: [:])
            for (tile, parts) in alone {
                for part in parts {
                    let name = "layer\(number)" + part.name.dropFirst("layer0".count)
                    let same = (together[tile] ?? []).filter { $0.name == name }
                    #expect(same.count == 1 && same[0].extent == part.extent, "\(tile) \(name)")
                    #expect(same.first?.features == part.features, "\(tile) \(name)")
                    seen += 1
                }
            }
        }
        // Nothing else is there, and layers come before what stands beside them.
        #expect(together.values.reduce(0) { $0 + $1.count } == seen)
        let order = (0..<3).map { "layer\($0)" }
        let all =
            order
            + order.flatMap { name in
                ["heat", "legs", "bins"].map { "\(name)_\($0)" }
            }
        for parts in together.values {
            let ranks = parts.compactMap { all.firstIndex(of: $0.name) }
            #expect(ranks.count == parts.count && ranks == ranks.sorted())
        }
    }
}
