import JSON
import Testing

/// What `covey build` makes of its inputs, as a person sees it.
struct BuildInputTests {
    static func terminal() throws -> Terminal {
        let terminal = try Terminal()
        try terminal.write("lon,lat,a\n1,2,x\n3,4,y\n", to: "one.csv")
        try terminal.write(#"{"type":"Point","coordinates":[5,6]}"#, to: "two.geojson")
        try terminal.write("name;wkt\nb;POINT (7 8)\n", to: "sub/one.csv")
        return terminal
    }

    /// The layers of a build with these words, and how many points each has.
    static func layers(_ words: String...) throws -> [String: Int] {
        let terminal = try terminal()
        let result = try terminal.covey(
            "build", with: words + ["-o", "x.mbtiles", "--json", "--quiet"])
        guard result.exitCode == 0 else { return [:] }
        let report = try JSONValue(parsing: result.output).asObject
        var layers: [String: Int] = [:]
        for layer in report?["layers"]?.asArray ?? [] {
            guard let name = layer.asObject?["name"]?.asString,
                case .integer(let points)? = layer.asObject?["points"]
            else { continue }
            layers[name] = Int(points)
        }
        return layers
    }

    @Test func `an option is told that names an attribute which no record has`() throws {
        let terminal = try Self.terminal()
        try terminal.write("lon,lat,price,secret,k\n1,2,x,y,1\n", to: "named.csv")
        let words = [
            "--exclude", "secrte", "--exclude", "k", "--type", "price:text", "--type", "zz:bool",
        ]
        for place in [[], ["--memory", "200M", "--job", "job"]] {
            let result = try terminal.covey(
                "build", with: ["named.csv", "-o", "x.mbtiles", "--force"] + words + place)
            #expect(result.exitCode == 0)
            let told = result.words.split(separator: "\n").filter { $0.contains("  --") }
            #expect(
                told == [
                    "  --exclude: no record has an attribute secrte; did you mean secret?",
                    "  --type: no record has an attribute zz",
                ], "\(result.words)")
        }
        let several = try terminal.covey(
            "build", "named.csv", "one.csv", "-l", "all", "-o", "y.mbtiles", "--exclude", "a",
            "--exclude", "price")
        #expect(several.exitCode == 0 && !several.words.contains("--exclude"))
        try terminal.write(
            #"{"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]]]}}"#,
            to: "area.geojson")
        let areas = try terminal.covey(
            "build", "one.csv", "-o", "z.mbtiles", "--regions", "area.geojson", "--exclude",
            "region")
        #expect(areas.exitCode == 0 && !areas.words.contains("--exclude"), "\(areas.words)")
    }

    @Test func `several inputs are a layer each, named by file`() throws {
        #expect(
            try Self.layers("one.csv", "two.geojson", "sub/one.csv")
                == ["one": 2, "two": 1, "one-2": 1])
    }

    @Test func `several inputs are one layer where it has a name`() throws {
        #expect(
            try Self.layers("one.csv", "two.geojson", "sub/one.csv", "--layer", "all")
                == ["all": 4])
    }

    @Test func `columns, kinds and filters are as the options say`() throws {
        #expect(try Self.layers("one.csv", "--x", "lat", "--y", "lon") == ["one": 2])
        #expect(try Self.layers("one.csv", "--filter", #"["==", ["get", "a"], "x"]"#) == ["one": 1])
        #expect(try Self.layers("two.geojson", "--format", "geojson") == ["two": 1])
        #expect(try Self.layers("one.csv", "--format", "geojson") == [:])
    }

    @Test(arguments: [
        ([], 1, "t.json:2: feature 2 is a LineString; clusters are made of points"),
        (["--skip-non-points"], 1, "t.json:3: feature 3 is not valid JSON"),
        (["--skip-non-points", "--skip-invalid=1"], 1, "more than 1 records are not valid"),
        (["--skip-non-points", "--skip-invalid=2"], 0, "2 points kept"),
        (["--skip-non-points", "--skip-invalid"], 0, "1 left out, not points (first: t.json:2:"),
    ])
    func `bad records stop a build or are counted out`(
        words: [String], exitCode: Int32, says text: String
    ) throws {
        let point = #"{"type":"Point","coordinates":[1,2]}"#
        let terminal = try Terminal()
        try terminal.write(
            [
                point, #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, "rubbish",
                #"{"type":"Point","coordinates":[1,95]}"#, point,
            ].joined(separator: "\n"), to: "t.json")
        let result = try terminal.covey(
            "build", "t.json", "-o", "x.mbtiles", "--progress", "none", with: words)
        #expect(result.exitCode == exitCode)
        #expect(result.words.contains(text), "\(result.words)")
    }
}
