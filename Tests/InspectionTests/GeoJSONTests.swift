import Geometry
import JSON
import MessageTiles
import Testing
import VectorTile

@testable import Inspection

/// Features of tiles as GeoJSON.
struct GeoJSONTests {
    private func feature(
        _ geometry: TileGeometry, id: UInt64? = nil, tags: [MessageTiles.Tile.Tag] = [],
        in tile: TileID = TileID(z: 0, x: 0, y: 0), _ coordinates: TileGeoJSON.Coordinates = .tile
    ) throws -> JSONObject {
        let bytes = MessageTiles.Tile(layers: [
            .init(name: "l", features: [.init(id: id, geometry, tags: tags)])
        ]).packed()
        let readable = ReadableTile(bytes.span)
        let layer = try #require(readable.layers.first)
        let collection = TileGeoJSON(tile: tile, coordinates: coordinates).collection([layer])
        let features = try #require(collection.asObject?["features"]?.asArray)
        return try #require(features.first?.asObject)
    }

    private func points(_ pairs: (Int32, Int32)...) -> [TilePoint] {
        pairs.map { TilePoint(x: $0.0, y: $0.1) }
    }

    @Test func `each geometry has its type and coordinates`() throws {
        let ring = points((0, 0), (10, 0), (10, 20), (0, 20))
        let hole = points((2, 2), (2, 4), (4, 4))
        let cases: [(TileGeometry, String)] = [
            (.points(points((1, 2))), #"{"type":"Point","coordinates":[1,2]}"#),
            (
                .points(points((1, 2), (3, 5))),
                #"{"type":"MultiPoint","coordinates":[[1,2],[3,5]]}"#
            ),
            (
                .lines([points((1, 2), (3, 5))]),
                #"{"type":"LineString","coordinates":[[1,2],[3,5]]}"#
            ),
            (
                .lines([points((1, 2), (3, 5)), points((0, 0), (1, 0))]),
                #"{"type":"MultiLineString","coordinates":[[[1,2],[3,5]],[[0,0],[1,0]]]}"#
            ),
            (
                .rings([ring, hole]),
                #"{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,20],[0,20],[0,0]],"#
                    + #"[[2,2],[2,4],[4,4],[2,2]]]}"#
            ),
            (
                .rings([ring, hole, points((20, 0), (30, 0), (30, 5))]),
                #"{"type":"MultiPolygon","coordinates":[[[[0,0],[10,0],[10,20],[0,20],[0,0]],"#
                    + #"[[2,2],[2,4],[4,4],[2,2]]],[[[20,0],[30,0],[30,5],[20,0]]]]}"#
            ),
            (.unknown([9, 2, 2]), "null"),
        ]
        for (geometry, text) in cases {
            #expect(try feature(geometry)["geometry"]?.text() == text)
        }
    }

    @Test func `positions are degrees of the tile that holds them`() throws {
        let tile = TileID(z: 1, x: 1, y: 0)
        let object = try feature(.points(points((2_048, 4_096))), in: tile, .degrees)
        #expect(object["geometry"]?.text() == #"{"type":"Point","coordinates":[90,0]}"#)
        let corner = try feature(.points(points((0, 0))), in: tile, .degrees)
        #expect(
            corner["geometry"]?.text() == #"{"type":"Point","coordinates":[0,85.0511288]}"#)
        let third = try feature(.points(points((1, 4_096))), in: tile, .degrees)
        #expect(third["geometry"]?.text() == #"{"type":"Point","coordinates":[0.0439453,0]}"#)
    }

    @Test func `ids and values of every type come along`() throws {
        let object = try feature(
            .points(points((1, 1))), id: 7,
            tags: [
                .init("text", .string("a")), .init("yes", .bool(true)), .init("no", .bool(false)),
                .init("int", .int(-3)), .init("sint", .sint(-4)), .init("uint", .uint(5)),
                .init("large", .uint(.max)), .init("float", .float(0.5)),
                .init("double", .double(0.1)),
            ])
        #expect(object["id"] == 7 && object["type"] == "Feature")
        #expect(
            object["properties"]?.text()
                == #"{"text":"a","yes":true,"no":false,"int":-3,"sint":-4,"uint":5,"#
                + #""large":18446744073709551615,"float":0.5,"double":0.1}"#)
        #expect(try feature(.points(points((1, 1))))["id"] == nil)
    }

    @Test func `a collection names its layer and extent`() throws {
        let bytes = MessageTiles.Tile(layers: [.init(name: "l", extent: 512)]).packed()
        let layer = try #require(ReadableTile(bytes.span).layers.first)
        let json = TileGeoJSON(tile: TileID(z: 0, x: 0, y: 0), coordinates: .tile)
            .collection([layer])
        #expect(
            json.text()
                == #"{"type":"FeatureCollection","layer":"l","extent":512,"features":[]}"#)
    }

    @Test func `several layers are one collection, whose features say which is theirs`() throws {
        let layers = ["a", "b"].map { name in
            MessageTiles.Tile.Layer(
                name: name, features: [.init(id: 1, .points(points((1, 1))), tags: [])])
        }
        let bytes = MessageTiles.Tile(layers: layers).packed()
        let json = TileGeoJSON(tile: TileID(z: 0, x: 0, y: 0), coordinates: .tile)
            .collection(ReadableTile(bytes.span).layers).asObject
        #expect(json?["type"] == "FeatureCollection")
        let names = json?["features"]?.asArray?.compactMap { $0.asObject?["layer"]?.asString }
        #expect(names == ["a", "b"])
    }

    @Test(arguments: [0, 3, 4])
    func `a zoom's collection has each feature once, with its layer`(zoom: Int) throws {
        let built = try BuiltArchive(.layers)
        var text: [UInt8] = []
        try built.archive.listFeatures(atZoom: zoom, threads: 2) { text += $0 }
        let features = try #require(
            try JSONValue(parsing: text.span).asObject?["features"]?.asArray)
        var wanted = 0
        for id in try built.tiles(at: zoom) {
            for layer in try built.tile(id).layers {
                wanted += layer.features.count { feature in
                    feature.coordinates.allSatisfy { 0..<Int64(layer.extent) ~= $0 }
                }
            }
        }
        #expect(features.count == wanted)
        let layers = Set(features.compactMap { $0.asObject?["layer"]?.asString })
        #expect(layers == ["points", "others", "plain"])
        let tail = String(decoding: text.suffix(4), as: UTF8.self)
        #expect(tail == "\n]}\n")
    }

    @Test(arguments: [0, 1])
    func `a zoom's collection has each bin once, counterclockwise`(zoom: Int) throws {
        let built = try BuiltArchive(.spread)
        var text: [UInt8] = []
        try built.archive.listFeatures(atZoom: zoom, threads: 2) { text += $0 }
        let all = try #require(try JSONValue(parsing: text.span).asObject?["features"]?.asArray)
        let bins = all.compactMap(\.asObject).filter { $0["layer"] == "points_bins" }
        let counts = bins.compactMap { $0["properties"]?.asObject?["point_count"]?.asNumber }
        #expect(counts.reduce(0, +) == 100 && Set(bins.map { $0["id"] }).count == bins.count)
        for bin in bins {
            let ring = try #require(
                bin["geometry"]?.asObject?["coordinates"]?.asArray?.first?.asArray)
            let corners = ring.compactMap { $0.asArray?.compactMap(\.asNumber) }
            let area = zip(corners, corners.dropFirst())
                .map { $0[0] * $1[1] - $1[0] * $0[1] }.reduce(0, +)
            #expect(area > 0 && corners.first == corners.last)
        }
    }

    @Test func `a zoom without tiles is an empty collection`() throws {
        let built = try BuiltArchive(.single)
        var text: [UInt8] = []
        try built.archive.listFeatures(atZoom: 9, threads: 2) { text += $0 }
        #expect(
            String(decoding: text, as: UTF8.self)
                == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
    }

    /// Of points in the margin the neighbour is told; all else is told wherever it is.
    @Test func `a single point belongs to the tile that it lies in`() throws {
        func belongs(_ geometry: TileGeometry, isBin: Bool = false) throws -> Bool {
            let bytes = MessageTiles.Tile(layers: [.init(name: "l", features: [.init(geometry)])])
                .packed()
            let feature = try #require(ReadableTile(bytes.span).layers.first?.features.first)
            return feature.belongs(
                to: TileID(z: 1, x: 0, y: 1), extent: 4_096, isBin: isBin)
        }
        for (x, y, isInside) in [
            (0, 0, true), (4_095, 4_095, true), (-1, 5, false), (5, -1, false), (4_096, 5, false),
            (5, 4_096, false),
        ] as [(Int32, Int32, Bool)] {
            #expect(try belongs(.points(points((x, y)))) == isInside, "\(x) \(y)")
        }
        #expect(try belongs(.points(points((-1, -1), (5_000, 2)))))
        #expect(try belongs(.lines([points((-5, -5), (-1, -1))])))
        let ring = points((-5, 10), (9, 10), (9, 20))
        #expect(try belongs(.rings([ring])))
        #expect(try !belongs(.rings([ring]), isBin: true))
        #expect(
            try belongs(.rings([ring, points((4_090, 10), (4_104, 10), (4_104, 20))]), isBin: true))
        #expect(try !belongs(.rings([points((1, -5), (9, -5), (9, 20))]), isBin: true))
    }
}
