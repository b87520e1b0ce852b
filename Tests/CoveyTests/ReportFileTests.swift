import JSON
import Testing

@testable import covey

/// What a report says of the files that were written, and of the points that were read.
struct ReportFileTests {
    private static func terminal() throws -> Terminal {
        let terminal = try Terminal()
        try terminal.write(
            """
            {"type":"MultiPoint","coordinates":[[1,2],[3,4],[1,2]]}
            {"type":"Point","coordinates":[3,4]}
            {"type":"Point","coordinates":[5,6]}
            {"type":"Feature","geometry":null,"properties":{}}

            """, to: "points.geojsonl")
        try terminal.write("lon,lat\n7,8\n", to: "new.csv")
        return terminal
    }

    private static func files(_ result: Terminal.Result) throws -> [String] {
        let object = try FigureTests.object(result.output)
        return (object["files"]?.asArray ?? []).compactMap(\.asString)
    }

    private static func bytes(_ files: [String], _ terminal: Terminal) throws -> Int {
        try files.reduce(0) { $0 + (try terminal.bytes($1).count) }
    }

    @Test func `each file of an archive is named, and its size told`() throws {
        let terminal = try Self.terminal()
        let words = ["points.geojsonl", "--max-zoom", "3", "--progress", "none", "--json"]
        let built = try terminal.covey(
            "build", with: words + ["-o", "a.pmtiles", "--keep-points"])
        let files = try Self.files(built)
        #expect(files.prefix(2) == ["a.pmtiles", "a.clusters.pmtiles"] && files.count == 3)
        #expect(try files.allSatisfy { try !terminal.bytes($0).isEmpty })
        #expect(files[2].hasPrefix("a.pmtiles.points-"))
        #expect(built.words.contains("\na.pmtiles, a.clusters.pmtiles: "), "\(built.words)")
        let size = try Self.bytes(Array(files.prefix(2)), terminal)
        #expect(try FigureTests.integer(FigureTests.object(built.output), "file_bytes") == size)
        let updated = try terminal.covey(
            "update", "a.pmtiles", "new.csv", "--json", "-q")
        #expect(try Self.files(updated).count == 3, "\(updated.words)")
        for (output, names) in [
            ("b.pmtiles", ["b.pmtiles", "b.clusters.pmtiles"]), ("c.mbtiles", ["c.mbtiles"]),
        ] {
            let made = try terminal.covey("convert", "a.pmtiles", output, "--json")
            #expect(try Self.files(made) == names)
            let object = try FigureTests.object(made.output)
            #expect(try FigureTests.integer(object, "file_bytes") == Self.bytes(names, terminal))
        }
        let folder = try terminal.covey("convert", "a.pmtiles", "d/", "--json")
        let held = try FigureTests.object(terminal.covey("inspect", "d/", "--json").output)
        #expect(try Self.files(folder) == ["d/"])
        for key in ["file_bytes", "tiles"] {
            let told = try FigureTests.integer(FigureTests.object(folder.output), key)
            #expect(try told == FigureTests.integer(held, key), "\(key)")
        }
    }

    @Test func `points are those that were read, but for duplicates`() throws {
        let terminal = try Self.terminal()
        let built = try terminal.covey(
            "build", "points.geojsonl", "-o", "a.mbtiles", "--json", "-q", "--max-zoom", "3",
            "--dedupe", "place")
        let layer = try #require(
            try FigureTests.object(built.output)["layers"]?.asArray?.first?.asObject)
        let counts = try ["records", "kept", "points_read", "duplicates", "points"].map {
            try FigureTests.integer(layer, $0)
        }
        #expect(counts == [4, 3, 5, 2, 3] && layer["rejected"] == ["no_location": 1])
    }
}
