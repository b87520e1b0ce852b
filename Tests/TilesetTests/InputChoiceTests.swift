import Foundation
import JSON
import PointInput
import Recipes
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// Joined tables and left out duplicates, through whole builds.
struct InputChoiceTests {
    private static func build(
        _ folder: URL, _ name: String, layer: JSONObject,
        _ change: (inout BuildOptions) -> Void = { _ in }
    ) throws -> (report: BuildReport, bytes: Data) {
        var layer = layer
        layer["name"] = "a"
        layer["sources"] = ["in.csv"]
        let recipe = try Recipe(
            reading: JSONNode(["tiles": ["maxZoom": 6], "layers": [.object(layer)]]))
        var options = BuildOptions()
        options.sourceDirectory = folder.path
        options.temporaryDirectory = folder.path
        change(&options)
        let path = folder.appending(path: name).path
        let report = try TilesetBuild(recipe, to: path, options: options).run()
        return (report, try Data(contentsOf: URL(filePath: path)))
    }

    @Test func `joined attributes are the same in memory, cut, by threads and in any order`() throws
    {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ text: String, _ name: String) throws {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        try write("code,town,size\n1,A,10\n2,B,20\n3,C,30\n", "codes.csv")
        var random = SeededRandom(seed: 5)
        var rows: [String] = []
        for number in 0..<800 {
            let longitude: Double = random.unit() * 340 - 170
            let latitude: Double = random.unit() * 140 - 70
            rows.append("\(longitude),\(latitude),\(number % 4)\n")
        }
        let layer: JSONObject = [
            "join": "codes.csv:code=c", "clusters": ["aggregates": ["size": "sum:size"]],
        ]
        try write("lon,lat,c\n" + rows.joined(), "in.csv")
        let whole = try Self.build(folder, "a.mbtiles", layer: layer) { $0.threads = 1 }
        #expect(
            whole.report.layers[0].input.notes == [
                "\(folder.path)/in.csv: \(folder.path)/codes.csv has no row for 200 rows"
            ])
        #expect(whole.report.bounds != nil && whole.report.center != nil)
        #expect(whole.report.json.asObject?["bounds"]?.asArray?.count == 4)
        let threads = try Self.build(folder, "b.mbtiles", layer: layer) { $0.threads = 3 }
        let cut = try Self.build(folder, "c.mbtiles", layer: layer) { $0.cells.zoom = 1 }
        #expect(cut.report.cells != nil && cut.report.bounds == whole.report.bounds)
        try write("lon,lat,c\n" + rows.reversed().joined(), "in.csv")
        let turned = try Self.build(folder, "d.mbtiles", layer: layer)
        #expect(
            threads.bytes == whole.bytes && cut.bytes == whole.bytes && turned.bytes == whole.bytes)
    }

    @Test func `duplicates are counted, and refuse cells`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appending(path: "in.csv")
        let rows = ["1,2,a\n", "1,2,b\n", "3,4,a\n", "5,6,\n"]
        for (key, points) in [("place", 3), ("k", 3)] {
            var bytes: [Data] = []
            for rows in [rows, rows.reversed()] {
                try ("lon,lat,k\n" + rows.joined()).write(
                    to: input, atomically: true, encoding: .utf8)
                let built = try Self.build(
                    folder, "\(key)\(bytes.count).mbtiles", layer: ["dedupe": .string(key)])
                let layer = built.report.layers[0]
                #expect(layer.points == points && layer.input.duplicates == 4 - points)
                #expect(layer.input.points == layer.points + layer.input.duplicates)
                bytes.append(built.bytes)
            }
            #expect(bytes[0] == bytes[1])
        }
        let error = #expect(throws: JobError.self) {
            _ = try Self.build(folder, "c.mbtiles", layer: ["dedupe": "place"]) {
                $0.cells.zoom = 1
            }
        }
        #expect(error?.description.contains("freed of duplicates (--dedupe)") == true)
    }

    /// A job that goes on must be about the same bytes, wherever they lie.
    @Test(arguments: [
        ("a.csv", "a.csv"), ("a.zip/b/c.csv", "a.zip"), ("a.shp", "a.dbf"), ("A.SHP", "A.DBF"),
        ("a.tab", "a.map"),
    ])
    func `an input is known by all files that are read for it`(source: String, file: String) throws
    {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: file)
        try Data("a".utf8).write(to: path)
        let recipe = try Recipe(
            reading: JSONNode([
                "layers": [
                    ["name": "a", "sources": [.string(folder.appending(path: source).path)]]
                ]
            ]))
        let build = TilesetBuild(recipe, to: path.path)
        let before = build.sources
        try Data("ab".utf8).write(to: path)
        #expect(build.sources != before)
        #expect(throws: BuildError.self) { try build.run() }
        #expect(try Data(contentsOf: path) == Data("ab".utf8))
    }

    @Test(
        arguments: [
            (["dedupe": "kk"], #"layers[0].dedupe: no point has "kk"; did you mean "k"?"#),
            (
                ["dedupe": "k", "id": "k"],
                #"layers[0].dedupe: "k" becomes the feature id; it is no attribute"#
            ),
            (["dedupe": "k", "exclude": ["k"]], #"layers[0].dedupe: "k" is left out by exclude"#),
            (["join": "codes.csv:c=kk"], #"layers[0].join: no point has "kk"; did you mean "k"?"#),
            (["join": "codes.csv:c=k", "exclude": ["k"]], ""),
        ] as [(JSONObject, String)])
    func `an attribute that says which points are meant must be there`(
        layer: JSONObject, problem: String
    ) throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [("in.csv", "lon,lat,k\n1,2,a\n3,4,b\n"), ("codes.csv", "c,d\na,1\n")] {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        var said = ""
        do {
            _ = try Self.build(folder, "a.mbtiles", layer: layer)
        } catch {
            said = "\(error)"
        }
        #expect(problem.isEmpty ? said.isEmpty : said.contains(problem), "\(said)")
    }
}
