import JSON
import Testing

/// Bins on the command line: beside clusters, in their place, and in a style.
struct BinOptionTests {
    private static func terminal() throws -> Terminal {
        let terminal = try Terminal()
        let rows = (0..<200).map { "\($0 % 20 - 10),\($0 / 20),\($0)" }
        try terminal.write((["lon,lat,n"] + rows).joined(separator: "\n"), to: "points.csv")
        return terminal
    }

    @Test func `without clusters, what is asked for is for the bins`() throws {
        let terminal = try Self.terminal()
        let words = ["points.csv", "-o", "a.mbtiles", "--bins", "square:64", "--max-zoom", "6"]
        let more = ["--no-clusters", "--aggregate", "sum=sum:n", "--json"]
        let built = try terminal.covey("build", with: words + more)
        #expect(built.exitCode == 0, "\(built.words)")
        let layer = try JSONValue(parsing: built.output).asObject?["layers"]?.asArray?.first
        #expect(layer?.asObject?["clusters"] == 0)
        #expect((layer?.asObject?["bins"]?.asNumber ?? 0) > 10)
        #expect(built.words.contains(", where they alone stand for all points\n"), "\(built.words)")
        let beside = try terminal.covey("build", with: words + ["--force"])
        #expect(beside.words.contains(" bins down to zoom ") && !beside.words.contains("alone"))
        _ = try terminal.covey("build", with: words + more + ["--force"])
        let checked = try terminal.covey("verify", "a.mbtiles", "--deep")
        #expect(checked.exitCode == 0, "\(checked.output)")
    }

    @Test(arguments: ["color", "opacity", "height"])
    func `a style draws bins, and clusters below them`(look: String) throws {
        let terminal = try Self.terminal()
        let words = ["points.csv", "-o", "a.mbtiles", "--bins", "hexagon", "--max-zoom", "6", "-q"]
        #expect(try terminal.covey("build", with: words + ["--bins-max-zoom", "2"]).exitCode == 0)
        let style = try JSONValue(
            parsing: try terminal.covey("style", "a.mbtiles", "--bins", look).output)
        let layers = (style.asObject?["layers"]?.asArray ?? []).compactMap(\.asObject)
        let bins = try #require(layers.first { $0["source-layer"] == "points_bins" })
        #expect(bins["type"] == (look == "height" ? "fill-extrusion" : "fill"))
        #expect(bins["maxzoom"] == 3 && bins["layout"] == nil)
        let clusters = try #require(layers.first { $0["id"] == "a/points-clusters" })
        #expect(clusters["minzoom"] == 3)
    }

    @Test func `a style of an archive without bins is refused with what to do`() throws {
        let terminal = try Self.terminal()
        #expect(try terminal.covey("build", "points.csv", "-o", "a.mbtiles", "-q").exitCode == 0)
        let refused = try terminal.covey("style", "a.mbtiles", "--bins", "color")
        #expect(refused.exitCode == 2 && refused.words.contains("a.mbtiles has no bins"))
        #expect(refused.words.contains("--bins hexagon"))
        let wrong = try terminal.covey("style", "a.mbtiles", "--bins", "colour")
        #expect(wrong.exitCode == 2 && wrong.words.contains("color, opacity or height"))
    }

    @Test func `a recipe's own bins keep what is asked for without clusters`() throws {
        let terminal = try Self.terminal()
        try terminal.write(
            #"{"tiles": {"bins": "hexagon", "maxZoom": 5}, "layers": [{"name": "p", "#
                + #""sources": ["points.csv"], "clusters": {"aggregates": {"n": "sum:n"}}}]}"#,
            to: "r.json")
        let built = try terminal.covey("build", "r.json", "-o", "a.mbtiles", "--no-clusters", "-q")
        #expect(built.exitCode == 0, "\(built.words)")
        let bins = try terminal.covey("inspect", "a.mbtiles", "0/0/0", "--geojson").output
        #expect(bins.contains("\"n\":") && !bins.contains("\"cluster\":true"))
    }

    @Test(arguments: [
        ["--heat"], ["--cluster-radius", "9"], ["--algorithm", "grid"], ["--group-by", "n"],
        ["--weight", "n"], ["--inherit", "n"], ["--cluster-max-zoom", "4"], ["--no-wrap"],
    ])
    func `what bins have no use for is refused without clusters`(option: [String]) throws {
        let terminal = try Self.terminal()
        let words = ["points.csv", "-o", "a.mbtiles", "--bins", "square", "--no-clusters", "-q"]
        let refused = try terminal.covey("build", with: words + option)
        #expect(refused.exitCode == 2)
        #expect(refused.words.contains("--no-clusters leaves nothing for \(option[0]) to do"))
    }

    @Test func `an aggregate has another name than squares have`() throws {
        let terminal = try Self.terminal()
        let words = ["points.csv", "-o", "a.mbtiles", "--aggregate", "quadbin=count", "-q"]
        let refused = try terminal.covey("build", with: words + ["--bins", "square"])
        #expect(refused.exitCode == 2 && refused.words.contains("quadbin"), "\(refused.words)")
        #expect(try terminal.covey("build", with: words + ["--bins", "hexagon"]).exitCode == 0)
    }
}
