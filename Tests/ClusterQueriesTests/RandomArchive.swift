import ArchiveContract
import ClusterQueries
import Foundation
import Geometry
import JSON
import MessageTiles
import Recipes
import TestSupport
import TileArchive
import Tileset
import VectorTile

/// An archive that is built from random points, and what brute force knows of it: which feature stands
/// for which point at each zoom.
final class RandomArchive: Sendable {
    struct Input: Hashable {
        var layer: String
        var id: UInt64
        var place: LonLat
        var number: Int
    }

    /// A feature of a tile, with the points that it stands for.
    struct Drawn {
        var tile: TileID
        var layer: String
        var id: UInt64
        var place: WorldPoint
        var leaves: Range<Int64>
        var tags: [String: TileValue]

        var isCluster: Bool { tags["cluster"] != nil }
    }

    static let deepest = 6
    static let fields: [ClusterAttribute] = [
        .pointWeight, .sqrtPointCount, .bbox, .uniqueLocation, .parent, .parentDX, .parentDY,
    ]
    /// In each container: cut and whole, by each algorithm, with all fields and with none.
    static let all = Result {
        try [
            RandomArchive("a.mbtiles", seed: 1, algorithm: "spaced", asksForFields: true),
            RandomArchive("b.pmtiles", seed: 2, algorithm: "greedy", asksForFields: false),
            RandomArchive("c/", seed: 3, algorithm: "grid", asksForFields: true),
            RandomArchive("d.pmtiles", seed: 4, algorithm: "spaced", asksForFields: true),
        ]
    }

    let folder: URL
    let archive: Archive
    let inputs: [Input]
    let asksForFields: Bool
    let tiles: [TileID: Tile]
    /// All points in leaf order.
    let leaves: [Leaf]
    /// By zoom and leaf.
    let drawn: [[Drawn?]]

    init(
        _ name: String, seed: UInt64, algorithm: String, asksForFields: Bool, radius: Int64 = 50,
        wraps: Bool = true
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "covey-random-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.asksForFields = asksForFields
        inputs = Self.points(seed: seed)
        let clusters: JSONValue = [
            "algorithm": .string(algorithm), "radius": .integer(radius), "wrap": .bool(wraps),
            "aggregates": ["total": "sum:n", "least": "min:n", "most": "max:n"],
            "fields": .array(asksForFields ? Self.fields.map { .string($0.name) } : []),
        ]
        let path = folder.path + "/" + name
        try Self.build(inputs, clusters, to: path, in: folder)
        archive = try Archive(path: path)
        tiles = try Self.tiles(of: archive)
        var query = try ClusterQuery(archive)
        leaves = try query.leaves(0..<Int64(inputs.count))
        drawn = try Self.drawn(tiles, leaves, &query)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Towns, one of them over the antimeridian, sites with several points, and points anywhere. What
    /// they carry is heavy, so that a few hundred fill several leaf blocks.
    private static func points(seed: UInt64) -> [Input] {
        var random = SeededRandom(seed: seed)
        let towns =
            [(179.9, -20.0)]
            + (0..<5).map { _ in
                (random.unit() * 340 - 170, random.unit() * 140 - 70)
            }
        var inputs: [Input] = []
        for (layer, count) in [("towns", 420), ("sights", 180)] {
            for index in 0..<count {
                let town = towns[Int.random(in: towns.indices, using: &random)]
                let spread = index % 6 == 0 ? 60.0 : 4
                var longitude = town.0 + (random.unit() - 0.5) * spread
                longitude -= 360 * ((longitude + 180) / 360).rounded(.down)
                var place = LonLat(
                    longitude: longitude, latitude: town.1 + (random.unit() - 0.5) * spread * 0.3)
                if index % 7 == 3, let last = inputs.last, last.layer == layer {
                    place = last.place
                }
                inputs.append(
                    Input(
                        layer: layer, id: UInt64(inputs.count + 1), place: place,
                        number: Int(random.next() % 1_000)))
            }
        }
        return inputs
    }

    private static func build(
        _ inputs: [Input], _ clusters: JSONValue, to path: String, in folder: URL
    ) throws {
        let text = String(repeating: "x", count: 900)
        var layers: [JSONValue] = []
        for (name, points) in Dictionary(grouping: inputs, by: \.layer).sorted(by: {
            $0.key < $1.key
        }) {
            let lines = points.map { point in
                #"{"type":"Feature","id":\#(point.id),"geometry":{"type":"Point","coordinates":"#
                    + "[\(point.place.longitude),\(point.place.latitude)]},"
                    + #""properties":{"n":\#(point.number),"text":"\#(text)"}}"#
            }
            let file = folder.path + "/\(name).geojsonl"
            try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
            layers.append(["name": .string(name), "sources": [.string(file)], "clusters": clusters])
        }
        let recipe = try Recipe(
            reading: JSONNode([
                "tiles": ["maxZoom": .integer(Int64(deepest))], "layers": .array(layers),
            ]))
        let container = ArchiveContainers.container(named: path) ?? MBTiles.self
        _ = try TilesetBuild(recipe, to: path, in: container).run()
    }

    private static func tiles(of archive: Archive) throws -> [TileID: Tile] {
        var tiles: [TileID: Tile] = [:]
        var lookup = try archive.openTiles()
        var scan = try archive.scan()
        while let id = try scan.next() {
            tiles[id] = try lookup.inflatedTile(at: id, limit: 1 << 24).map { try Tile($0.span) }
        }
        return tiles
    }

    private static func drawn(
        _ tiles: [TileID: Tile], _ leaves: [Leaf], _ query: inout ClusterQuery
    ) throws -> [[Drawn?]] {
        let numbers = Dictionary(uniqueKeysWithValues: leaves.map { ($0.id ?? 0, $0.number) })
        let none = [Drawn?](repeating: nil, count: leaves.count)
        var drawn = Array(repeating: none, count: deepest + 1)
        for (tile, contents) in tiles {
            for layer in contents.layers {
                for feature in layer.features {
                    guard let place = place(of: feature, in: tile, layer.extent),
                        let id = feature.id
                    else { continue }
                    let tags = Dictionary(
                        uniqueKeysWithValues: feature.tags.map { ($0.key, $0.value) })
                    let leaf = numbers[id] ?? 0
                    let own =
                        tags["cluster"] == nil
                        ? leaf..<leaf + 1 : try query.cluster(Int64(id)).leaves
                    let node = Drawn(
                        tile: tile, layer: layer.name, id: id, place: place, leaves: own, tags: tags
                    )
                    for leaf in own where drawn[Int(tile.z)][Int(leaf)] == nil {
                        drawn[Int(tile.z)][Int(leaf)] = node
                    }
                }
            }
        }
        return drawn
    }

    /// Nil for a copy in the tile's margin.
    private static func place(
        of feature: Tile.Feature, in tile: TileID, _ extent: UInt32
    ) -> WorldPoint? {
        func zigzag(_ value: UInt32) -> Double {
            Double(Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1))
        }
        let x = zigzag(feature.geometry[1]) / Double(extent)
        let y = zigzag(feature.geometry[2]) / Double(extent)
        guard (0..<1).contains(x), (0..<1).contains(y) else { return nil }
        let world = Double(1 << Int(tile.z))
        return WorldPoint(x: (Double(tile.x) + x) / world, y: (Double(tile.y) + y) / world)
    }

    // MARK: What brute force answers

    /// The nodes of a zoom in leaf order, each once.
    func nodes(at zoom: Int) -> [Drawn] {
        drawn[zoom].enumerated().compactMap { leaf, node in
            node.flatMap { $0.leaves.lowerBound == Int64(leaf) ? $0 : nil }
        }
    }

    /// Each cluster as it is drawn first, and the zooms that draw it.
    var clusters: [(node: Drawn, zooms: ClosedRange<Int>)] {
        var found: [UInt64: (node: Drawn, zooms: ClosedRange<Int>)] = [:]
        for zoom in 0...Self.deepest {
            for node in nodes(at: zoom) where node.isCluster {
                let first = found[node.id]?.zooms.lowerBound ?? zoom
                found[node.id] = (found[node.id]?.node ?? node, first...zoom)
            }
        }
        return found.values.sorted { $0.node.id < $1.node.id }
    }

    /// The places of a cluster's points.
    func places(_ numbers: Range<Int64>) -> [WorldPoint] {
        leaves[Int(numbers.lowerBound)..<Int(numbers.upperBound)].map(\.position)
    }

    func numbers(_ range: Range<Int64>) -> [Int] {
        leaves[Int(range.lowerBound)..<Int(range.upperBound)].map { leaf in
            leaf.tags.first { $0.key == "n" }.flatMap { Int($0.value.json.asNumber ?? -1) } ?? -1
        }
    }
}
