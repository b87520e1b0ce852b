import Foundation
import Geometry
import JSON
import MessageTiles
import Recipes
import Testing
import TileArchive
import Tileset
import VectorTile

/// What an archive of two layers says of itself, the first of them not clustered.
struct AccountTests {
    private static let plain = [
        (-10.0, 20.0, #""flag":true,"kind":"x","n":1"#),
        (30.0, -5.0, #""flag":false,"kind":"y","n":2.5"#),
        (30.0, 40.0, #""flag":true,"kind":"x","n":7"#),
    ]
    /// Three at one town, and two at each of two others, so that one of these comes behind it.
    private static let towns = [
        (100.0, 10.0), (100.0001, 10.0), (100.0002, 10.0), (140.0, -30.0), (140.0001, -30.0),
        (60.0, 50.0), (60.0001, 50.0),
    ]

    struct Built {
        var report: BuildReport
        var metadata: ArchiveMetadata
        var tiles: [TileID: Tile] = [:]
    }

    private static func build() throws -> Built {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ lines: [String], to name: String) throws {
            try lines.joined(separator: "\n").write(
                to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        func line(_ longitude: Double, _ latitude: Double, _ id: Int, _ more: String) -> String {
            #"{"type":"Feature","id":\#(id),"properties":{\#(more)},"geometry":{"type":"Point","#
                + #""coordinates":[\#(longitude),\#(latitude)]}}"#
        }
        try write(
            plain.enumerated().map { line($1.0, $1.1, 500 - $0, $1.2) }, to: "a.geojsonl")
        try write(
            towns.enumerated().map { line($1.0, $1.1, $0 + 1, #""size":\#($0)"#) },
            to: "b.geojsonl")
        let recipe = try Recipe(
            reading: JSONNode([
                "name": "Two", "attribution": "me", "tiles": ["maxZoom": 4],
                "layers": [
                    ["name": "a", "sources": ["a.geojsonl"], "clusters": false],
                    [
                        "name": "b", "sources": ["b.geojsonl"],
                        "clusters": ["fields": ["sqrt_point_count", "point_weight"]],
                    ],
                ],
            ]))
        let path = folder.appending(path: "out.mbtiles").path
        var options = BuildOptions()
        options.sourceDirectory = folder.path
        let report = try TilesetBuild(recipe, to: path, options: options).run()
        let archive = try Archive(path: path)
        var built = Built(report: report, metadata: archive.metadata)
        var reader = try archive.openTiles()
        var scan = try archive.scan()
        while let id = try scan.next() {
            let bytes = try #require(try reader.inflatedTile(at: id, limit: 1 << 20))
            built.tiles[id] = try Tile(bytes.span)
        }
        return built
    }

    static let built = Result { try build() }

    @Test func `zooms, bounds and center are those of both layers together`() throws {
        let metadata = try Self.built.get().metadata
        #expect(metadata.minZoom == 0 && metadata.maxZoom == 4)
        let bounds = try #require(metadata.bounds)
        #expect(abs(bounds.west + 10) < 0.2 && abs(bounds.east - 140) < 0.2)
        #expect(abs(bounds.south + 30) < 0.2 && abs(bounds.north - 50) < 0.2)
        // On the largest town, at a zoom that shows half of 150 degrees.
        let center = try #require(metadata.center)
        #expect(abs(center.longitude - 100) < 0.01 && abs(center.latitude - 10) < 0.01)
        #expect(metadata.centerZoom == 1)
        #expect(metadata.name == "Two" && metadata.attribution == "me")
        #expect(metadata.generatorOptions?.contains(#""layers""#) == true)
    }

    @Test func `fields have the kind of their values, and statistics their range`() throws {
        let metadata = try Self.built.get().metadata
        #expect(metadata.vectorLayers.map(\.id) == ["a", "b"])
        let kinds = metadata.vectorLayers[0].fields.map { "\($0.name) \($0.type)" }.sorted()
        #expect(kinds == ["flag Boolean", "kind String", "n Number"])
        let stats = try #require(metadata.tileStats?.asObject)
        #expect(stats["layerCount"] == 2)
        let layers = try #require(stats["layers"]?.asArray)
        let attributes = try #require(layers[0].asObject?["attributes"]?.asArray)
        func entry(_ name: String) -> JSONObject? {
            attributes.compactMap(\.asObject).first { $0["attribute"]?.asString == name }
        }
        #expect(entry("flag")?["type"] == "boolean" && entry("flag")?["count"] == 2)
        #expect(entry("kind")?["type"] == "string" && entry("kind")?["values"] == ["x", "y"])
        #expect(entry("n")?["type"] == "number" && entry("n")?["count"] == 3)
        #expect(entry("n")?["min"] == 1 && entry("n")?["max"] == 7)
        #expect(entry("n")?["values"] == [1, 2.5, 7])
    }

    @Test func `what clusters carry is told among the fields and in the statistics`() throws {
        let metadata = try Self.built.get().metadata
        let kinds = metadata.vectorLayers[1].fields.map { "\($0.name) \($0.type)" }.sorted()
        #expect(
            kinds == [
                "cluster Boolean", "cluster_id Number", "expansion_zoom Number",
                "point_count Number", "point_count_abbreviated String", "point_weight Number",
                "size Number", "sqrt_point_count Number",
            ])
        let layers = metadata.tileStats?.asObject?["layers"]?.asArray
        let layer = try #require(layers?[1].asObject)
        #expect(layer["count"] == 10 && layer["attributeCount"] == 8)
        let entries = layer["attributes"]?.asArray?.compactMap(\.asObject) ?? []
        let counts = entries.first { $0["attribute"] == "point_count" }
        // Each cluster once, however many zooms draw it.
        #expect(counts?["min"] == 2 && counts?["max"] == 3 && counts?["values"] == [2, 3])
        let texts = entries.first { $0["attribute"] == "point_count_abbreviated" }
        #expect(texts?["values"] == ["2", "3"] && texts?["type"] == "string")
    }

    @Test func `the report counts clusters and single points at each zoom`() throws {
        let report = try Self.built.get().report
        let zooms = report.zooms.map { [Int($0.zoom), $0.clusters, $0.points, $0.pointCount] }
        #expect(zooms == (0..<4).map { [$0, 3, 3, 10] } + [[4, 0, 10, 10]])
        #expect(report.layers.map(\.points) == [3, 7] && report.layers.map(\.clusters) == [0, 3])
        #expect(report.largestTiles.count == 5)
        #expect(report.largestTiles.map(\.bytes) == report.largestTiles.map(\.bytes).sorted(by: >))
    }

    @Test func `clusters carry what was asked for, and ids above those of all points`() throws {
        let tiles = try Self.built.get().tiles
        var seen: [String: TileValue] = [:]
        for (id, tile) in tiles where id.z == 3 {
            for feature in tile.layers.filter({ $0.name == "b" }).flatMap(\.features) {
                #expect((feature.id ?? 0) > 500)
                let tags = Dictionary(feature.tags.map { ($0.key, $0.value) }) { $1 }
                guard tags["point_count"] == .uint(3) else { continue }
                seen = tags
            }
        }
        #expect(seen["sqrt_point_count"]?.asDouble == 1.73)
        #expect(seen["point_weight"]?.asDouble == 3)
        #expect(seen["expansion_zoom"]?.asDouble == 4)
    }

    @Test(arguments: [true, false])
    func `two at the eastern edge are one cluster, whether the world wraps or not`(
        wraps: Bool
    ) throws {
        let points = [180, 179.9].map { SamplePoint(place: LonLat(longitude: $0, latitude: 0)) }
        let baked = try BakedArchive(
            points, layer: ["clusters": ["wrap": .bool(wraps)]], tiles: ["maxZoom": 3])
        #expect(baked.nodes(at: 0).map(\.pointCount) == [2])
    }
}

extension TileValue {
    fileprivate var asDouble: Double? {
        switch self {
        case .double(let number): number
        case .float(let number): Double(number)
        case .uint(let number): Double(number)
        case .sint(let number), .int(let number): Double(number)
        default: nil
        }
    }
}
