import Geometry
import JSON
import MessageTiles
import TestSupport
import Testing

/// What stands beside points and clusters where zooms end, and where the world does.
struct CompanionEdgeTests {
    private static func scattered(_ count: Int, seed: UInt64) -> [SamplePoint] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            let longitude = random.unit() * 360 - 180
            return SamplePoint(
                place: LonLat(longitude: longitude, latitude: random.unit() * 140 - 70))
        }
    }

    private static func features(
        _ baked: BakedArchive, _ layer: String, at zoom: UInt8
    ) -> [DrawnFeature] {
        baked.tiles.filter { $0.key.z == zoom }.flatMap { id, tile in
            tile.layers.filter { $0.name == layer }.flatMap { layer in
                layer.features.map { DrawnFeature($0, in: id, extent: layer.extent) }
            }
        }
    }

    @Test(arguments: [2, 3, 4])
    func `a heat layer counts all points down to the last zoom with clusters, wherever that is`(
        last: Int64
    ) throws {
        let baked = try BakedArchive(
            Self.scattered(300, seed: 4), layer: ["clusters": ["maxZoom": .integer(last)]],
            tiles: ["maxZoom": 4, "heat": true])
        for zoom in 0...UInt8(last) {
            let heat = Self.features(baked, "points_heat", at: zoom).filter(\.isOwn)
            #expect(heat.reduce(0) { $0 + $1.pointCount } == 300, "zoom \(zoom)")
        }
        // Of the last zoom itself a tile has all points.
        let heat = Self.features(baked, "points_heat", at: UInt8(last)).filter(\.isOwn)
        #expect(heat.count == 300)
    }

    @Test func `legs over the antimeridian are in the one tile of zoom 0, as seen from both sides`()
        throws
    {
        let places = [(180.0, 10.0), (-179.9, -30), (179.9, 50), (20, 0)]
        let points = places.flatMap { longitude, latitude in
            (0..<9).map { _ in
                SamplePoint(place: LonLat(longitude: longitude, latitude: latitude))
            }
        }
        let baked = try BakedArchive(
            points, layer: ["clusters": false], tiles: ["maxZoom": 2, "spread": 30])
        for zoom in UInt8(0)...2 {
            var ends: [TileID: [[Int]]] = [:]
            for (id, tile) in baked.tiles where id.z == zoom {
                for leg in tile.layers.filter({ $0.name == "points_legs" }).flatMap(\.features) {
                    func way(_ index: Int) -> Int {
                        Int(leg.geometry[index] >> 1) ^ -Int(leg.geometry[index] & 1)
                    }
                    ends[id, default: []].append([way(1) + way(4), way(2) + way(5)])
                }
            }
            for point in Self.features(baked, "points", at: zoom).filter(\.isOwn) {
                let met = ends[point.tile, default: []].filter { $0 == [point.x, point.y] }
                #expect(met.count == 1, "\(point.tile): \(point.x),\(point.y)")
            }
        }
    }

    @Test func `the report says how far points are drawn from the place that they share`() throws {
        let points =
            (0..<12).map { _ in SamplePoint(place: LonLat(longitude: 20, latitude: 60)) }
            + (0..<3).map { _ in SamplePoint(place: LonLat(longitude: 20, latitude: 0)) }
            + Self.scattered(20, seed: 2)
        for tiles: JSONValue in [["spread": 20], ["spread": 20, "maxZoom": 6]] {
            let baked = try BakedArchive(points, tiles: tiles)
            let deepest = try #require(baked.report.zooms.last?.zoom)
            var farthest = 0.0
            for feature in Self.features(baked, "points", at: deepest).filter(\.isOwn) {
                guard case .string(let text)? = feature.tags["spread_of"] else { continue }
                let place = try #require(JSONValue(parsing: text).asArray).compactMap(\.asNumber)
                farthest = max(
                    farthest,
                    AutomaticZoomTests.distance(
                        feature, from: LonLat(longitude: place[0], latitude: place[1])))
            }
            let told = try #require(baked.report.spreadMetres)
            #expect(farthest > 1_000 && abs(told / farthest - 1) < 0.01, "\(told), \(farthest)")
            #expect(
                baked.report.zoomReason.contains("of where they are except those that are drawn"))
            #expect(baked.report.zoomReason.hasSuffix("m off"))
        }
        let apart = try BakedArchive(Self.scattered(20, seed: 2), tiles: ["spread": 20]).report
        #expect(
            apart.spreadMetres == nil && apart.zoomReason.hasSuffix("; no point is drawn apart"))
    }

    @Test(arguments: [(UInt8(0), 6, 256), (0, 8, 512), (2, 7, 512), (0, 3, 4_096)])
    func `legs are said to be at the zooms at which they are long enough`(
        first: UInt8, last: UInt8, extent: Int64
    ) throws {
        let points = (0..<40).map { index in
            SamplePoint(place: LonLat(longitude: Double(index % 4) * 20, latitude: 30))
        }
        for clusters: JSONValue in [false, ["radius": 1]] {
            let baked = try BakedArchive(
                points, layer: ["clusters": clusters],
                tiles: [
                    "minZoom": .integer(Int64(first)), "maxZoom": .integer(Int64(last)),
                    "extent": .integer(extent), "spread": 20,
                ])
            let zooms = baked.tiles.filter { $0.value.layers.contains { $0.name == "points_legs" } }
                .map(\.key.z)
            let said = baked.archive.metadata.vectorLayers.first { $0.id == "points_legs" }
            #expect(said?.minZoom == zooms.min() && said?.maxZoom == zooms.max() && said != nil)
        }
    }
}
