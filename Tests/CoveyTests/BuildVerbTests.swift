import JSON
import Testing

struct BuildVerbTests {
    /// A folder with a recipe, a style and points in it.
    static func terminal() throws -> Terminal {
        let terminal = try Terminal()
        try terminal.write(RecipeVerbTests.points, to: "points.csv")
        try terminal.write(#"{"layers": [{"name": "a", "sources": ["points.csv"]}]}"#, to: "r.json")
        try terminal.write(
            #"{"layerz": [{"name": "a", "sources": ["points.csv"]}]}"#, to: "typo.json")
        try terminal.write(#"{"version": 8, "sources": {}, "layers": []}"#, to: "style.json")
        return terminal
    }

    @Test(arguments: [
        (
            ["points.csv", "--cluster-raduis", "40"],
            "there is no option --cluster-raduis", "did you mean --cluster-radius?"
        ),
        (["points.csv"], "-o OUT is missing", "write -o points.mbtiles"),
        (
            ["a.mbtiles"], "a.mbtiles is named like an archive of tiles, but builds read points",
            "covey inspect a.mbtiles shows"
        ),
        (["points.csv", "-o"], "-o needs a value", "write -o OUT"),
        (
            ["points.csv", "-o", "x.mbtiles", "--order", "imput"],
            "--order imput: this should be one of stable, input", ""
        ),
        (
            ["points.csv", "-o", "x.mbtiles", "--max-zoom", "99"],
            "--max-zoom 99: this should be a whole number from 0 to 24, or auto", ""
        ),
        (
            ["points.csv", "-o", "x.mbtiles", "--type", "plz:txt"],
            "--type plz:txt: this should be ATTR:KIND, and what follows the last colon one of "
                + "text, integer, number, bool", ""
        ),
        (
            ["points.csv", "-o", "x.mbtiles", "--weight", "size", "--weight", "size"],
            "--weight is given twice", "leave one out"
        ),
        (
            ["points.csv", "-o", "x.mbtiles", "--no-clusters", "--weight", "size"],
            "--no-clusters leaves nothing for --weight to do", "leave one of them out"
        ),
        (
            ["points.csv", "-o", "x.mbtiles", "--no-clusters", "--heat"],
            "--no-clusters leaves nothing for --heat to do", "leave one of them out"
        ),
        (
            ["r.json", "points.csv", "-o", "x.mbtiles"],
            "r.json is a recipe, and a recipe is built alone", "name the other inputs"
        ),
        (
            ["r.json", "--layer", "b", "-o", "x.mbtiles"],
            "r.json is a recipe, whose layers have names", "leave out --layer"
        ),
        (
            ["style.json", "-o", "x.mbtiles"],
            "style.json is a style and no recipe", "covey recipe import style.json"
        ),
        (
            ["points.csv", "--exclude", "size", "--weight", "size", "-o", "x.mbtiles"],
            "--weight: \"size\" is left out by exclude", ""
        ),
        (
            ["points.csv", "--max-zoom", "3", "--cluster-max-zoom", "5", "-o", "x.mbtiles"],
            "--cluster-max-zoom: there are no tiles past --max-zoom, 3", ""
        ),
        (
            ["points.csv", "--aggregate", "s=smu:size", "-o", "x.mbtiles"],
            "--aggregate s: aggregate 's=smu:size': there is no operation 'smu'; "
                + "did you mean 'sum'?", ""
        ),
        (
            ["points.csv", "--report", "-", "-o", "x.mbtiles"],
            "--report -: a file is needed", "--json"
        ),
    ])
    func `a line that makes no sense ends with 2 and says what to do`(
        words: [String], problem: String, remedy: String
    ) throws {
        let result = try Self.terminal().covey("build", with: words)
        #expect(result.exitCode == 2)
        #expect(result.words.hasPrefix("covey: \(problem)\n"), "\(result.words)")
        #expect(remedy.isEmpty || result.words.contains(remedy), "\(result.words)")
    }

    @Test(arguments: [
        (
            ["typo.json"],
            "covey: typo.json: unknown key \"layerz\" at top level; did you mean \"layers\"?"
        ),
        (
            ["points.csv", "--quiet", "--weight", "siez"],
            "covey: --weight: no point has \"siez\"; did you mean \"size\"?"
        ),
    ])
    func `what can't be built is refused and leaves no file`(words: [String], problem: String)
        throws
    {
        let terminal = try Self.terminal()
        let result = try terminal.covey("build", with: words + ["-o", "x.mbtiles"])
        #expect(result.exitCode == 1)
        #expect(result.words.hasPrefix(problem), "\(result.words)")
        #expect(throws: (any Error).self) { try terminal.bytes("x.mbtiles") }
    }

    @Test(arguments: ["one.json", "all.json", "lines.json"])
    func `a JSON file of points is not taken for a recipe`(name: String) throws {
        let terminal = try Terminal()
        let point = #"{"type":"Point","coordinates":[1,2]}"#
        let feature = #"{"type":"Feature","properties":{"layers":1},"geometry":\#(point)}"#
        try terminal.write(feature, to: "one.json")
        try terminal.write(
            #"{"type":"FeatureCollection","features":[\#(feature)]}"#, to: "all.json")
        try terminal.write("\(point)\n\(feature)\n", to: "lines.json")
        let result = try terminal.covey("build", name, "-o", "x.mbtiles", "--quiet")
        #expect(result.exitCode == 0 && result.words.isEmpty, "\(result.words)")
    }

    @Test func `what was left out is told by reason, with the first place`() throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\n,\n1,95\nx,1\n2,99\n", to: "t.csv")
        let result = try terminal.covey(
            "build", "t.csv", "-o", "x.mbtiles", "--skip-invalid", "--progress", "none")
        #expect(
            result.words.contains(
                """
                t: 5 records in, 1 point kept, 0 clusters
                  2 left out, with a latitude beyond ±90 (first: t.csv:4: row 3)
                  1 left out, with unusable coordinates (first: t.csv:5: row 4)
                  1 left out, without coordinates (first: t.csv:3: row 2)

                """), "\(result.words)")
    }

    @Test func `points past the edges of the map make an archive that is in order`() throws {
        let terminal = try Terminal()
        let rows = (0..<60).map { "\($0 * 6 - 179),\($0 % 2 == 0 ? -89 : 88),p\($0)" }
        try terminal.write("lon,lat,name\n" + rows.joined(separator: "\n"), to: "poles.csv")
        #expect(
            try terminal.covey("build", "poles.csv", "-o", "p.mbtiles", "--max-zoom", "5").exitCode
                == 0)
        let verified = try terminal.covey("verify", "p.mbtiles")
        #expect(verified.exitCode == 0, "\(verified.output)")
    }

    @Test func `an aggregate of an expression can be typed`() throws {
        let terminal = try Self.terminal()
        let shown = try terminal.covey(
            "recipe", "show", "points.csv", "--aggregate", #"s=mean:["*", ["get", "size"], 2]"#)
        let clusters = try JSONValue(parsing: shown.output).asObject?["layers"]?.asArray?.first?
            .asObject?["clusters"]
        #expect(
            clusters == ["aggregates": ["s": ["mean", ["*", ["get", "size"], 2]]]])
    }
}
