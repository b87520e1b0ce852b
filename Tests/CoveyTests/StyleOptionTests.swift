import JSON
import Testing

@testable import TileService

/// Colours by the largest value, and letters of languages, in a style without scripts.
struct StyleOptionTests {
    private static func terminal() throws -> Terminal {
        let terminal = try Terminal()
        let rows = (0..<300).map { "\($0 % 20),\($0 / 30),\(["inn", "bar", "zoo"][$0 % 3]),\($0)" }
        try terminal.write((["lon,lat,kind,n"] + rows).joined(separator: "\n"), to: "points.csv")
        let words = ["points.csv", "-o", "a.mbtiles", "--max-zoom", "6", "-q", "--facet", "kind"]
        let more = ["--facet", "n:100,200", "--facet", "kind=sum:n", "--facet", "kind*n:100"]
        let built = try terminal.covey("build", with: words + more)
        #expect(built.exitCode == 0, "\(built.words)")
        return terminal
    }

    private static func layers(_ terminal: Terminal, _ words: String...) throws -> [String:
        JSONObject]
    {
        let style = try terminal.covey("style", with: ["a.mbtiles"] + words)
        #expect(style.exitCode == 0, "\(style.words)")
        let layers = try JSONValue(parsing: style.output).asObject?["layers"]?.asArray ?? []
        let named = layers.compactMap(\.asObject).map { ($0["id"]?.asString ?? "", $0) }
        return Dictionary(named) { first, _ in first }
    }

    @Test func `clusters have the colour of their largest value, points that of theirs`() throws {
        let terminal = try Self.terminal()
        let layers = try Self.layers(terminal, "--color-by", "kind")
        let clusters =
            layers["a/points-clusters"]?["paint"]?.asObject?["circle-color"]?.text() ?? ""
        #expect(clusters.hasPrefix(##"["let","width",["/",["length",["get","#kind"]],3],"##))
        #expect(
            clusters.contains(
                ##"["==",["to-number",["slice",["get","#kind"],["*",["var","width"],1],["*",["var","width"],2]]],["var","most"]],"#a3541a""##
            ))
        let points = layers["a/points-points"]?["paint"]?.asObject?["circle-color"]?.text()
        #expect(
            points
                == ##"["match",["to-string",["get","kind"]],"bar","#2f6396","inn","#a3541a","zoo","#2b7a4b","#5f6b76"]"##
        )
        let broken = try Self.layers(terminal, "--color-by", "n:100,200")
        #expect(
            broken["a/points-points"]?["paint"]?.asObject?["circle-color"]?.text()
                == ##"["case",["==",["typeof",["get","n"]],"number"],["step",["number",["get","n"]],"#2f6396",100,"#a3541a",200,"#2b7a4b"],"#5f6b76"]"##
        )
    }

    @Test func `what stands beside a layer is no layer of markers, in a part of an archive either`()
        throws
    {
        let terminal = try Self.terminal()
        let words = [
            "build", "points.csv", "-o", "b.mbtiles", "-q", "--heat", "--bins", "hexagon",
            "--facet", "n",
        ]
        #expect(try terminal.covey(with: words).exitCode == 0)
        let cut = try terminal.covey(
            "convert", "b.mbtiles", "c.pmtiles", "-q", "--bbox", "0,0,10,10")
        #expect(cut.exitCode == 0, "\(cut.words)")
        for file in ["b.mbtiles", "c.pmtiles"] {
            let style = try terminal.covey("style", file).output
            #expect(style.contains("points-points") && style.contains("points_bins"))
            #expect(!style.contains("points_heat-p") && !style.contains("points_bins-p"))
        }
        // A layer that is only called so is one of its own.
        _ = try terminal.shell("cp points.csv points_heat.csv")
        let two = ["points.csv", "points_heat.csv", "-o", "d.mbtiles", "-q"]
        #expect(try terminal.covey("build", with: two).exitCode == 0)
        _ = try terminal.covey("convert", "d.mbtiles", "e.pmtiles", "-q", "--bbox", "0,0,10,10")
        for file in ["d.mbtiles", "e.pmtiles"] {
            #expect(try terminal.covey("style", file).output.contains("points_heat-p"))
        }
        let odd = try terminal.covey("style", "a.mbtiles", "--glyphs", "fonts")
        #expect(odd.exitCode == 2 && odd.words.contains("{fontstack} and {range}"))
    }

    @Test func `counts are written as a language writes them`() throws {
        let terminal = try Self.terminal()
        let layers = try Self.layers(terminal, "--letters", "de")
        let text = layers["a/points-counts"]?["layout"]?.asObject?["text-field"]?.text() ?? ""
        #expect(text.contains("\u{A0}Tsd.") && text.contains(#""locale":"de""#))
        let far = try Self.layers(terminal, "--letters", "zh", "--url", "https://a.example/a")
        let icon = far["a/points-counts"]?["layout"]?.asObject?["icon-image"]?.text() ?? ""
        #expect(icon.hasPrefix(#"["concat","covey-count:",["let","count""#) && icon.contains("万"))
    }

    @Test(arguments: CountLetters.languages)
    func `each step of a language's letters is above the one before`(language: String) throws {
        let letters = try #require(CountLetters(language: language))
        let steps = letters.expression(of: ["get", "n"]).asArray?.last?.asArray ?? []
        let bounds = stride(from: 3, to: steps.count, by: 2).compactMap { steps[$0].asNumber }
        #expect(bounds.count >= 3 && bounds.count == (steps.count - 3) / 2)
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "\(bounds)")
        #expect(letters.needsGlyphs == ["ru", "uk"].contains(language))
    }

    @Test func `what cannot be is refused with what to do`() throws {
        let terminal = try Self.terminal()
        for facet in ["price", "kind*n:100", "kind=sum:n"] {
            let refused = try terminal.covey("style", "a.mbtiles", "--color-by", facet)
            #expect(refused.exitCode == 2 && refused.words.contains("it has kind, n:100,200"))
        }
        let wrong = try terminal.covey("style", "a.mbtiles", "--letters", "xx")
        #expect(wrong.exitCode == 2 && wrong.words.contains("de, en"))
        let blank = try terminal.covey("style", "a.mbtiles", "--letters", "ru")
        #expect(blank.exitCode == 2 && blank.words.contains("--glyphs"))
        let written = try Self.layers(
            terminal, "--letters", "ru", "--glyphs", "https://a.example/{fontstack}/{range}.pbf")
        let text = written["a/points-counts"]?["layout"]?.asObject?["text-field"]?.text() ?? ""
        #expect(text.contains("тыс."))
        #expect(try terminal.covey("build", "points.csv", "-o", "b.mbtiles", "-q").exitCode == 0)
        let bare = try terminal.covey("style", "b.mbtiles", "--color-by", "kind")
        #expect(bare.exitCode == 2 && bare.words.contains("build it with --facet kind"))
    }

    /// The colours and kinds of layers of points without clusters.
    @Test func `unclustered layers have their legs, and each its hue`() throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,1\n1,1\n2,2\n", to: "a.csv")
        try terminal.write("lon,lat\n3,3\n3,3\n4,4\n", to: "b.csv")
        let words = ["-o", "a.mbtiles", "--no-clusters", "--spread", "--max-zoom", "4", "-q"]
        #expect(try terminal.covey("build", with: ["a.csv", "b.csv"] + words).exitCode == 0)
        let layers = try Self.layers(terminal)
        for (name, hue) in zip(["a", "b"], CountSteps.hues) {
            let legs = layers["a/\(name)-legs"]
            #expect(legs?["source-layer"] == .string("\(name)_legs") && legs?["layout"] == nil)
            let paint = layers["a/\(name)-raw-points"]?["paint"]?.asObject
            #expect(paint?["circle-color"] == .string(hue[0]))
        }
    }

    @Test(arguments: [("open", "false", "true"), ("share", "0.5", "1.25")])
    func `groups by booleans and fractions have colours`(
        name: String, first: String, second: String
    ) throws {
        let terminal = try Terminal()
        let rows = (0..<40).map { index in
            #"{"type":"Feature","properties":{"\#(name)":\#(index % 2 == 0 ? first : second)},"#
                + #""geometry":{"type":"Point","coordinates":[\#(index % 8),\#(index / 8)]}}"#
        }
        try terminal.write(rows.joined(separator: "\n"), to: "p.geojsonl")
        let words = ["p.geojsonl", "-o", "a.mbtiles", "--group-by", name, "-q"]
        #expect(try terminal.covey("build", with: words).exitCode == 0)
        let colors = try ["points", "clusters"].map {
            try Self.layers(terminal)["a/p-\($0)"]?["paint"]?.asObject?["circle-color"]?.text()
        }
        let match =
            ##"["match",["to-string",["get","\##(name)"]],"\##(first)","#2f6396","\##(second)","##
            + ##""#a3541a","#5f6b76"]"##
        #expect(colors == [match, match])
    }

    @Test func `a sum by value says how many points are without the value`() throws {
        let terminal = try Terminal()
        let rows = "lon,lat,kind,v\n1,1,a,5\n1.001,1,a,\n1.002,1,,3\n1.003,1,,\n1,1.002,b,2\n"
        try terminal.write(rows, to: "p.csv")
        let words = ["p.csv", "-o", "a.mbtiles", "--max-zoom", "8", "--facet", "kind=sum:v"]
        let built = try terminal.covey("build", with: words + ["--facet", "kind"])
        for facet in ["kind=sum:v", "kind"] {
            #expect(
                built.words.contains("facet \(facet): 2 points counted as (none)"), "\(built.words)"
            )
        }
    }
}
