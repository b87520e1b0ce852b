import JSON
import Testing

struct RecipeVerbTests {
    static let points = """
        name,lon,lat,size
        a,13.1,52.1,1
        b,13.2,52.2,2
        c,13.3,52.3,3
        """

    @Test func `check says all that is wrong and ends with 1`() throws {
        let terminal = try Terminal()
        try terminal.write(
            """
            {"layers": [{"name": "a", "sources": ["a.csv"], "filtre": ["has", "x"],
              "clusters": {"order": "imput"}}]}
            """, to: "r.json")
        let result = try terminal.covey("recipe", "check", "r.json")
        #expect(result.exitCode == 1)
        #expect(result.output.isEmpty)
        #expect(
            result.words == """
                covey: r.json: unknown key "filtre" at layers[0]; did you mean "filter"?
                       r.json: expected one of stable, input (did you mean "input"?) \
                at layers[0].clusters.order, found "imput"

                """)
    }

    @Test func `check of what is no recipe says so once`() throws {
        let terminal = try Terminal()
        try terminal.write("[1]", to: "list.json")
        #expect(
            try terminal.covey("recipe", "check", "list.json").words
                == "covey: list.json: expected an object at top level, found an array\n")
        let absent = try terminal.covey("recipe", "check", "absent.json")
        #expect(absent.exitCode == 1)
        #expect(
            absent.words == "covey: absent.json: there is no such file\n")
    }

    @Test func `check looks for the files beside the recipe`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.points, to: "sub/points.csv")
        try terminal.write(
            #"{"layers": [{"name": "a", "sources": ["points.csv", "https://example.org/a.csv"]}]}"#,
            to: "sub/good.json")
        try terminal.write(
            #"{"layers": [{"name": "a", "sources": ["pionts.csv"]}]}"#, to: "sub/bad.json")
        #expect(try terminal.covey("recipe", "check", "sub/good.json").exitCode == 0)
        let result = try terminal.covey("recipe", "check", "sub/bad.json")
        #expect(result.exitCode == 1)
        #expect(
            result.words == """
                covey: sub/bad.json: layers[0].sources[0]: there is no file "pionts.csv"; did you mean \
                "points.csv"?

                """)
    }

    @Test func `show prints what flags mean, and what it prints builds the same`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.points, to: "points.csv")
        let options = [
            "--cluster-radius", "60", "--max-zoom", "4", "--aggregate", "all=sum:size", "--name",
            "Three",
        ]
        let shown = try terminal.covey("recipe", "show", "points.csv", with: options)
        #expect(shown.exitCode == 0)
        #expect(
            try JSONValue(parsing: shown.output) == [
                "name": "Three", "tiles": ["maxZoom": 4],
                "layers": [
                    [
                        "name": "points", "sources": ["points.csv"],
                        "clusters": ["radius": 60, "aggregates": ["all": "sum:size"]],
                    ]
                ],
            ])
        try terminal.write(shown.output, to: "recipe.json")
        #expect(try terminal.covey("build", "recipe.json", "-o", "a.mbtiles").exitCode == 0)
        #expect(
            try terminal.covey("build", "points.csv", "-o", "b.mbtiles", with: options).exitCode
                == 0)
        #expect(try terminal.bytes("a.mbtiles") == terminal.bytes("b.mbtiles"))
    }

    @Test func `show tells of files that are not there`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.points, to: "points.csv")
        let shown = try terminal.covey("recipe", "show", "pionts.csv", "points.csv")
        #expect(shown.exitCode == 0 && shown.output.contains("pionts.csv"))
        #expect(
            shown.words == """
                layers[0].sources[0]: there is no file "pionts.csv"; did you mean "points.csv"?

                """)
    }

    @Test func `import replaces neither the style that it reads nor what it writes itself`() throws
    {
        let terminal = try Terminal()
        try terminal.write(
            #"{"version": 8, "layers": [], "sources": {"a": {"type": "geojson", "cluster": true, "#
                + #""data": "points.geojson"}}}"#, to: "style.json")
        let before = try terminal.bytes("style.json")
        for (words, problem) in [
            (["-o", "./style.json"], "./style.json is the style that is read"),
            (["-o", "r.json", "--style", "style.json"], "style.json is the style that is read"),
            (["-o", "r.json", "--style", "./r.json"], "./r.json and r.json are one file"),
        ] {
            let result = try terminal.covey(
                "recipe", "import", "style.json", with: words + ["--force"])
            #expect(result.exitCode == 2 && result.words.contains(problem), "\(result.words)")
            #expect(try terminal.bytes("style.json") == before)
        }
    }

    @Test func `a coordinate system that is none is told of by its key`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.points, to: "points.csv")
        try terminal.write(
            #"{"layers": [{"name": "a", "sources": ["points.csv"], "crs": 31}]}"#, to: "r.json")
        let words = "the coordinate system EPSG:31 cannot be used"
        let checked = try terminal.covey("recipe", "check", "r.json")
        #expect(checked.exitCode == 1, "\(checked.words)")
        #expect(checked.words.hasPrefix("covey: r.json: layers[0].crs: \(words)"))
        for (inputs, name) in [
            (["r.json"], "r.json: crs"), (["r.json", "--crs", "31"], "--crs"),
            (["points.csv", "--crs", "31"], "--crs"),
        ] {
            let built = try terminal.covey("build", "-o", "a.mbtiles", with: inputs)
            #expect(built.exitCode == 1 && built.words.contains("\(name): \(words)"))
        }
    }

    @Test func `show leaves clusters out where they are not wanted`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.points, to: "points.csv")
        let shown = try terminal.covey("recipe", "show", "points.csv", "--no-clusters")
        #expect(
            try JSONValue(parsing: shown.output) == [
                "layers": [["name": "points", "sources": ["points.csv"], "clusters": false]]
            ])
    }

    @Test func `import prints a recipe that is not written anywhere`() throws {
        let terminal = try Terminal()
        try terminal.write(
            """
            {"version": 8, "sources": {"p": {"type": "geojson", "cluster": true,
              "data": "points.geojson"}}, "layers": []}
            """, to: "style.json")
        let printed = try terminal.covey("recipe", "import", "style.json")
        let layer = try JSONValue(parsing: printed.output).asObject?["layers"]?.asArray?.first
        #expect(layer?.asObject?["sources"] == ["points.geojson"])
        let written = try terminal.covey("recipe", "import", "style.json", "-o", "r.json")
        #expect(written.exitCode == 0 && written.output.isEmpty)
        #expect(try terminal.read("r.json") == printed.output)
    }

    @Test func `import writes recipe, style and data, and replaces nothing unasked`() throws {
        let terminal = try Terminal()
        try terminal.write(
            """
            {"version": 8, "sources": {"p": {"type": "geojson", "cluster": true,
              "clusterMaxZoom": 2, "data": {"type": "Point", "coordinates": [1, 2]}}},
              "layers": [{"id": "c", "type": "circle", "source": "p"}]}
            """, to: "style.json")
        let words = ["-o", "out.json", "--style", "out-style.json", "--url", "https://t/p"]
        #expect(try terminal.covey("recipe", "import", "style.json", with: words).exitCode == 0)
        #expect(try terminal.read("p.geojson") == #"{"type":"Point","coordinates":[1,2]}"# + "\n")
        let style = try JSONValue(parsing: try terminal.read("out-style.json")).asObject
        #expect(style?["sources"] == ["p": ["type": "vector", "url": "https://t/p"]])
        #expect(try terminal.covey("recipe", "check", "out.json").exitCode == 0)
        #expect(try terminal.covey("build", "out.json", "-o", "out.mbtiles").exitCode == 0)

        let again = try terminal.covey("recipe", "import", "style.json", with: words)
        #expect(again.exitCode == 2)
        #expect(again.words.contains("p.geojson exists already"))
        #expect(
            try terminal.covey("recipe", "import", "style.json", with: words + ["--force"]).exitCode
                == 0)
    }

    @Test(arguments: [
        (["recipe", "chekc", "r.json"], "covey recipe does not know chekc", "did you mean check?"),
        (["recipe", "check"], "RECIPE.json is missing", "--help"),
        (["recipe", "show"], "INPUT is missing", "--help"),
        (["recipe", "schema", "x"], "x is one argument too many", "--help"),
        (
            ["recipe", "check", "r.json", "--weight", "x"],
            "covey recipe check has no use for --weight", "leave it out"
        ),
        (
            ["recipe", "check", "r.json", "--all"], "covey recipe check has no use for --all",
            "leave it out"
        ),
        (
            ["recipe", "show", "r.json", "--style", "x"],
            "covey recipe show has no use for --style", "leave it out"
        ),
    ])
    func `a line that makes no sense ends with 2 and says what to do`(
        words: [String], problem: String, remedy: String
    ) throws {
        let result = try Terminal().covey(with: words)
        #expect(result.exitCode == 2)
        #expect(result.words.hasPrefix("covey: \(problem)\n"), "\(result.words)")
        #expect(result.words.contains(remedy), "\(result.words)")
    }
}
