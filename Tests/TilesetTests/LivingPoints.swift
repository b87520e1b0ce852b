import Foundation
import Geometry
import JSON
import Recipes
import SQLite
import TestSupport
import Testing
import TileArchive
import Tileset

/// Points with ids in a folder of their own, an archive of them, and what is done to both.
final class LivingPoints {
    struct Point {
        var place: LonLat
        var number: Int
        var kind: String
        /// Whether its attributes come in another order.
        var isTurned = false
        /// The names of further attributes.
        var others: [String] = []
    }

    let folder: URL
    let ending: String
    let recipe: JSONValue
    var points: [UInt64: Point] = [:]
    var cellZoom: Int?
    /// The folder of a job.
    var job: String?
    /// How an archive is made that is a folder.
    var folderOptions = FolderOptions()
    private var random: SeededRandom
    private var nextID: UInt64 = 0

    init(_ recipe: JSONValue, ending: String, seed: UInt64) throws {
        folder = try TemporaryFolder.make()
        self.recipe = recipe
        self.ending = ending
        random = SeededRandom(seed: seed)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    var archive: String { path("a") + ending }
    var container: any ArchiveContainer.Type {
        ArchiveContainers.container(named: archive) ?? MBTiles.self
    }

    var someID: UInt64? { points.keys.sorted().isEmpty ? nil : drawnID }
    private var drawnID: UInt64 {
        let ids = points.keys.sorted()
        return ids[Int(random.next() % UInt64(ids.count))]
    }
    func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }
    func number(below: UInt64) -> UInt64 { random.next() % below }

    func anyPoint() -> Point {
        // Some stand where others do, or on the edges of tiles and of the world.
        var place = LonLat(longitude: random.unit() * 360 - 180, latitude: random.unit() * 160 - 80)
        if chance(4), let id = someID, let other = points[id] { place = other.place }
        if chance(10) { place = LonLat(longitude: -180, latitude: 0) }
        return Point(
            place: place, number: Int(random.next() % 50),
            kind: ["inn", "bar", "hut"][Int(random.next() % 3)])
    }

    /// Gives a new point, with the next id.
    func add() -> UInt64 {
        defer { nextID += 1 }
        points[nextID] = anyPoint()
        return nextID
    }

    func line(of id: UInt64) -> String {
        guard let point = points[id] else { return "" }
        let attributes =
            [#""n":\#(point.number)"#, #""kind":"\#(point.kind)""#]
            + point.others.map { #""\#($0)":1"# }
        let properties = (point.isTurned ? attributes.reversed() : attributes).joined(
            separator: ",")
        return
            #"{"type":"Feature","id":\#(id),"geometry":{"type":"Point","coordinates":[\#(point.place.longitude),\#(point.place.latitude)]},"properties":{\#(properties)}}"#
    }

    static func removal(of id: UInt64) -> String {
        #"{"type":"Feature","id":\#(id),"geometry":null,"properties":{"delete":true}}"#
    }

    func write(_ lines: [String], to name: String) throws -> String {
        try lines.joined(separator: "\n").write(
            toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }

    var options: BuildOptions {
        var options = BuildOptions()
        options.keepsPoints = true
        options.cells.zoom = cellZoom
        options.cells.folder = job
        options.temporaryDirectory = folder.path
        options.folder = folderOptions
        return options
    }

    /// Builds all points as they are, in an order of their own.
    func build(to output: String, shuffled: Bool = true) throws {
        var ids = points.keys.sorted()
        if shuffled {
            for index in ids.indices { ids.swapAt(index, Int(number(below: UInt64(index + 1)))) }
        }
        _ = try write(ids.map(line), to: "points.geojsonl")
        var document = recipe.asObject ?? [:]
        var layer = document["layer"]?.asObject ?? [:]
        layer["name"] = "points"
        layer["sources"] = [.string(path("points.geojsonl"))]
        document["layer"] = nil
        document["layers"] = [.object(layer)]
        let recipe = try Recipe(reading: JSONNode(.object(document)))
        _ = try TilesetBuild(recipe, to: output, in: container, options: options).run()
    }

    func update(_ request: UpdateRequest) throws -> UpdateReport {
        try TilesetUpdate(of: archive, request, options: options).run()
    }

    /// All files of an archive, by their names within it; of MBTiles all rows.
    func contents(of archive: String) throws -> [String: Data] {
        if ending == ".mbtiles" { return try Self.rows(of: archive) }
        var files: [String: Data] = [:]
        let outputs = container.outputs(at: archive)
        for output in outputs {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: output, isDirectory: &isFolder) else {
                continue
            }
            let ending = output.dropFirst(archive.count - self.ending.count)
            guard isFolder.boolValue else {
                files[String(ending)] = try Data(contentsOf: URL(fileURLWithPath: output))
                continue
            }
            for case let name as String in FileManager.default.enumerator(atPath: output) ?? .init()
            {
                // Folders are told, too.
                let file = URL(fileURLWithPath: output + "/" + name)
                files[name] = (try? Data(contentsOf: file)) ?? Data()
            }
        }
        return files
    }

    private static func rows(of archive: String) throws -> [String: Data] {
        let database = try Database(path: archive, mode: .readOnly)
        var all: [String: Data] = [:]
        for select in [
            "SELECT zoom_level || '/' || tile_column || '/' || tile_row, tile_data FROM tiles",
            "SELECT name, value FROM metadata", "SELECT 'block ' || block, data FROM covey_blocks",
            "SELECT 'schema ' || name, sql FROM sqlite_schema",
            "SELECT 'page', page_size FROM pragma_page_size",
            "SELECT 'whole', integrity_check FROM pragma_integrity_check",
        ] {
            var rows = try database.prepare(select)
            while try rows.step() {
                let bytes = rows.blob(at: 1)
                let text = rows.text(at: 0)
                let name = try #require(text)
                #expect(all[name] == nil)
                all[name] = Data(bytes.indices.map { bytes[$0] })
            }
        }
        return all
    }

    var keptFiles: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0.contains(".points-") }.sorted()
    }
}

extension LivingPoints {
    /// A few points, and a small archive of them.
    static func small(_ count: Int = 5, ending: String = ".mbtiles") throws -> LivingPoints {
        let living = try LivingPoints(
            ["tiles": ["maxZoom": 2], "layer": ["clusters": ["radius": 40]]], ending: ending,
            seed: 1)
        for _ in 0..<count { _ = living.add() }
        try living.build(to: living.archive)
        return living
    }
}
