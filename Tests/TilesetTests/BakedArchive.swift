import Compression
import Foundation
import Geometry
import JSON
import MessageTiles
import Recipes
import TestSupport
import TileArchive
import Tileset
import VectorTile

/// An archive baked from points in memory, read back in full; its folder goes when it goes.
final class BakedArchive {
    let directory: URL
    let path: String
    let report: BuildReport
    let archive: Archive
    private(set) var tiles: [TileID: Tile] = [:]

    /// - Parameter settings: the recipe's sections beside the layers, and the layer's own keys.
    init(
        _ points: [SamplePoint], layer: JSONValue = [:], tiles: JSONValue = [:], threads: Int = 2
    ) throws {
        directory = try TemporaryFolder.make()
        path = directory.appendingPathComponent("out.mbtiles").path
        let input = directory.appendingPathComponent("in.geojsonl")
        try points.map(\.line).joined(separator: "\n").write(
            to: input, atomically: true, encoding: .utf8)
        var layer = layer.asObject ?? JSONObject()
        layer["name"] = "points"
        layer["sources"] = [.string(input.path)]
        let recipe = try Recipe(
            reading: JSONNode(["tiles": tiles, "layers": [.object(layer)]]))
        var options = BuildOptions()
        options.threads = threads
        report = try TilesetBuild(recipe, to: path, options: options).run()
        archive = try Archive(path: path)
        try readTiles()
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func readTiles() throws {
        var scan = try archive.scan()
        var inflater = GzipInflater()
        while let id = try scan.next() {
            let bytes = try inflater.inflate(scan.bytes, limit: 1 << 26)
            tiles[id] = try Tile(bytes.span)
        }
    }

    /// What the index of clusters says of one.
    struct Indexed: Equatable {
        var count: Int
        var expansionZoom: Int
        var childCounts: [Int]
    }

    func indexed(_ id: Int64) throws -> Indexed {
        var index = try archive.openClusters()
        let record = try index.cluster(id)
        let children = try index.children(of: id).nodes
        return Indexed(
            count: Int(record.leafCount), expansionZoom: record.expansionZoom,
            childCounts: children.map(\.leaves.count))
    }

    func leafBlock(_ number: Int64) throws -> Tile {
        var index = try archive.openClusters()
        let bytes = try index.leafBlock(number, limit: 1 << 24)
        return try Tile(bytes.span)
    }

    var bytes: Data { (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data() }

    /// All features that are a zoom's own: inside their tile, not in its margin.
    func nodes(at zoom: UInt8) -> [DrawnFeature] {
        tiles.filter { $0.key.z == zoom }.flatMap { id, tile in
            tile.layers.flatMap { layer in
                layer.features.map { DrawnFeature($0, in: id, extent: layer.extent) }
            }
        }.filter(\.isOwn)
    }
}

/// A feature of a tile as a test wants to ask it.
struct DrawnFeature: Hashable {
    let tile: TileID
    let id: UInt64?
    let x: Int
    let y: Int
    let extent: Int
    let tags: [String: TileValue]

    init(_ feature: Tile.Feature, in tile: TileID, extent: UInt32) {
        self.tile = tile
        self.extent = Int(extent)
        id = feature.id
        func zigzag(_ value: UInt32) -> Int {
            Int(Int32(bitPattern: value >> 1) ^ -Int32(value & 1))
        }
        x = zigzag(feature.geometry[1])
        y = zigzag(feature.geometry[2])
        tags = Dictionary(uniqueKeysWithValues: feature.tags.map { ($0.key, $0.value) })
    }

    var isOwn: Bool { 0..<extent ~= x && 0..<extent ~= y }
    var isCluster: Bool { tags["cluster"] == .bool(true) }

    /// How many points it stands for.
    var pointCount: Int { integer("point_count") ?? 1 }

    func integer(_ key: String) -> Int? {
        switch tags[key] {
        case .uint(let value): Int(value)
        case .int(let value), .sint(let value): Int(value)
        default: nil
        }
    }

    /// The place in units of the whole zoom, the world's width taken off.
    var worldPlace: [Int] {
        let world = extent << Int(tile.z)
        return [(Int(tile.x) * extent + x + world) % world, Int(tile.y) * extent + y]
    }
}

/// A point for a test to bake.
struct SamplePoint {
    var place: LonLat
    var properties: [(String, JSONValue)] = []

    var line: String {
        let feature: JSONValue = [
            "type": "Feature",
            "geometry": [
                "type": "Point",
                "coordinates": [.number(place.longitude), .number(place.latitude)],
            ],
            "properties": .object(JSONObject(properties.map { .init(key: $0.0, value: $0.1) })),
        ]
        return feature.text()
    }

    /// Points in a few towns and some anywhere, each with a number and a kind.
    static func towns(_ count: Int, seed: UInt64) -> [SamplePoint] {
        var random = SeededRandom(seed: seed)
        let towns = (0..<8).map { _ in
            LonLat(longitude: random.unit() * 360 - 180, latitude: random.unit() * 140 - 70)
        }
        return (0..<count).map { index in
            let town = towns[Int(random.next() % 8)]
            let spread = index % 10 == 0 ? 20.0 : 0.05
            var longitude = town.longitude + (random.unit() - 0.5) * spread
            if longitude > 180 { longitude -= 360 }
            if longitude < -180 { longitude += 360 }
            return SamplePoint(
                place: LonLat(
                    longitude: longitude,
                    latitude: town.latitude + (random.unit() - 0.5) * spread),
                properties: [
                    ("n", .integer(Int64(random.next() % 100))),
                    ("kind", .string(["cafe", "shop", "park"][Int(random.next() % 3)])),
                ])
        }
    }
}

/// A folder for one test.
enum TemporaryFolder {
    static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("covey-test-\(UInt64.random(in: 0...(.max)))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
