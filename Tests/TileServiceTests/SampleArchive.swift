import Recipes
import Foundation
import HTTP
import JSON
import SQLite
import TestSupport
import TileArchive
import TileService
import Tileset

/// A folder with archives for one test, removed with its owner.
final class SampleFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "covey-service-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Builds an archive of random points; the same for the same seed.
    @discardableResult
    func build(_ name: String, points count: Int = 3_000, seed: UInt64 = 1) throws -> [SamplePoint]
    {
        let points = SamplePoint.random(count, seed: seed)
        try build(name, of: points)
        return points
    }

    /// Builds an archive of given points.
    func build(
        _ name: String, of points: [SamplePoint],
        clusters: JSONValue = [
            "radius": 40, "aggregates": ["total": "sum:value", "usual": "mode:kind"],
        ], tiles: JSONValue = ["maxZoom": 8]
    ) throws {
        let input = file("\(UUID().uuidString).geojson")
        try Data(SamplePoint.geoJSON(points).utf8).write(to: URL(fileURLWithPath: input))
        defer { try? FileManager.default.removeItem(atPath: input) }
        let layer: JSONValue = [
            "name": "points", "sources": [.string(input)],
            "clusters": clusters,
        ]
        let recipe = try Recipe(reading: JSONNode(["layers": [layer], "tiles": tiles]))
        let folder = (file(name) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var options = BuildOptions()
        options.replacesExisting = true
        let container = ArchiveContainers.container(named: name) ?? MBTiles.self
        _ = try TilesetBuild(recipe, to: file(name), in: container, options: options).run()
    }

    /// Writes another program's archive: nothing but tiles and a few rows of metadata.
    func writeForeign(
        _ name: String, metadata: [String: String], tiles: [(z: Int, x: Int, row: Int, [UInt8])]
    ) throws {
        let folder = (file(name) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let database = try Database(path: file(name), mode: .readWriteCreate)
        try database.execute(
            """
            CREATE TABLE metadata (name text, value text);
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer,
                tile_data blob);
            CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
            """)
        var row = try database.prepare("INSERT INTO metadata VALUES (?1, ?2)")
        for (key, value) in metadata {
            try row.bind(key, at: 1)
            try row.bind(value, at: 2)
            try row.run()
        }
        var tile = try database.prepare("INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)")
        for (z, x, y, bytes) in tiles {
            try tile.bind(z, at: 1)
            try tile.bind(x, at: 2)
            try tile.bind(y, at: 3)
            try tile.run(binding: bytes.span, at: 4)
        }
    }

    func service(_ options: ServiceOptions = ServiceOptions()) -> TileService {
        TileService(serving: [ServedPath(path: path)], options: options)
    }
}

struct SamplePoint: Sendable {
    let id: Int
    let longitude: Double
    let latitude: Double
    let value: Int
    let kind: String

    /// Two thirds in towns, the rest anywhere; the antimeridian is never far.
    static func random(_ count: Int, seed: UInt64) -> [SamplePoint] {
        var random = SeededRandom(seed: seed)
        let towns = (0..<20).map { _ in (random.unit() * 360 - 180, random.unit() * 140 - 70) }
        return (1...count).map { id in
            var longitude = random.unit() * 360 - 180
            var latitude = random.unit() * 160 - 80
            if id % 3 > 0 {
                let town = towns[Int(random.next() % 20)]
                longitude = town.0 + (random.unit() - 0.5) * 2
                latitude = town.1 + (random.unit() - 0.5) * 2
            }
            longitude = (longitude * 1e5).rounded() / 1e5
            latitude = (latitude * 1e5).rounded() / 1e5
            return SamplePoint(
                id: id, longitude: min(max(longitude, -180), 180), latitude: latitude,
                value: Int(random.next() % 100), kind: ["café", "<b>bar</b>", "inn"][id % 3])
        }
    }

    static func geoJSON(_ points: [SamplePoint]) -> String {
        let features = points.map { point -> JSONValue in
            [
                "type": "Feature", "id": .integer(Int64(point.id)),
                "geometry": [
                    "type": "Point",
                    "coordinates": [.number(point.longitude), .number(point.latitude)],
                ],
                "properties": [
                    "value": .integer(Int64(point.value)), "kind": .string(point.kind),
                ],
            ]
        }
        return (["type": "FeatureCollection", "features": .array(features)] as JSONValue).text()
    }
}

extension TileService {
    func get(
        _ path: String, _ method: Request.Method = .get, query: [(String, String)] = [],
        _ change: (inout Request.Headers) -> Void = { _ in }
    ) -> Response {
        var headers = Request.Headers()
        headers.host = "example.org"
        change(&headers)
        return answer(
            Request(
                method, path, query: query.map { .init(name: $0.0, value: $0.1) }, headers: headers)
        )
    }

    /// The body of an answer that must be 200 and JSON.
    func json(_ path: String, _ query: [(String, String)] = []) throws -> JSONNode {
        let response = get(path, query: query)
        guard response.status == .ok else {
            throw UnexpectedAnswer(
                path: path, status: response.status.rawValue, body: response.text)
        }
        return JSONNode(try JSONValue(parsing: response.text))
    }
}

struct UnexpectedAnswer: Error {
    let path: String
    let status: Int
    let body: String
}

extension Response {
    var bytes: [UInt8] {
        guard let body else { return [] }
        return (0..<body.count).map { body.span[$0] }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func header(_ name: String) -> String? { value(of: name) }
}
