import Foundation
import JSON
import Testing

/// What the program says to people who work with pipes, links and scripts.
struct ScriptingTests {
    private let terminal: Terminal

    init() throws {
        terminal = try Terminal()
        let points = (0..<12).map { "\(Double($0) / 100),0,p\($0)" }
        try terminal.write("lon,lat,name\n" + points.joined(separator: "\n"), to: "points.csv")
    }

    private func build(_ words: String...) throws -> String {
        let result = try terminal.covey(
            "build", "points.csv", "-o", "a.mbtiles", "--max-zoom", "4", with: words)
        #expect(result.exitCode == 0, "\(result.words)")
        return result.words
    }

    @Test(arguments: [[], ["--cell-zoom", "1"]])
    func `a filter by an attribute that no record has is told of`(words: [String]) throws {
        let told = try terminal.covey(
            "build", "points.csv", "-o", "a.mbtiles", "--max-zoom", "4", "--filter",
            #"["any",["!=",["get","nme"],"Oslo"],["has","name"]]"#, with: words
        ).words.split(separator: "\n").filter { $0.contains("--filter") }
        #expect(told == ["  --filter: no record has an attribute nme; did you mean name?"])
    }

    @Test func `a filter that leaves no record asks for names that there are`() throws {
        #expect(try !build("--filter", #"["!=",["get","name"],"p1"]"#).contains("no record has"))
        #expect(
            try !build("--filter", #"["!=",["get","name"],"p1"]"#, "-f", "--include", "lon")
                .contains("no record has"))
    }

    @Test func `a pipe of the shell gives its layer no name`() throws {
        let result = try terminal.shell(
            """
            exec 9< points.csv
            for input in /dev/fd/9 /proc/self/fd/9 /dev/stdin; do
                "$COVEY" recipe show $input < points.csv | grep '"name"'
            done
            """)
        #expect(
            result.output.split(separator: "\n").allSatisfy { $0.hasSuffix(#""name": "points","#) }
                && result.output.split(separator: "\n").count == 3, "\(result.output)")
    }

    @Test func `a recipe that is shown works where it is shown`() throws {
        try terminal.write("lon,lat\n1,2\n", to: "in/data.csv")
        try terminal.write(
            """
            {"layers": [{"name": "a", "sources": ["data.csv", "/data/b.csv", "-"],
              "regions": "areas.geojson", "join": "codes.csv:code=id"}]}
            """, to: "in/r.json")
        let shown = try terminal.covey("recipe", "show", "in/r.json")
        let layer = try #require(
            try JSONValue(parsing: shown.output).asObject?["layers"]?.asArray?.first?.asObject)
        let sources = (layer["sources"]?.asArray ?? []).compactMap(\.asString)
        #expect(
            sources.count == 3 && sources[0].hasPrefix("/") && sources[0].hasSuffix("/in/data.csv"))
        #expect(sources.dropFirst() == ["/data/b.csv", "-"])
        #expect(layer["regions"]?.asString?.hasSuffix("/in/areas.geojson") == true)
        #expect(layer["join"]?.asString?.hasSuffix("/in/codes.csv:code=id") == true)
        #expect(layer["join"]?.asString?.hasPrefix("/") == true)
    }

    @Test func `what is wrong in a recipe names its file, and a pipe can be checked`() throws {
        try terminal.write(
            #"{"layers": [{"nam": "a", "sources": ["points.csv"]}]}"#, to: "bad.json")
        try terminal.write(#"{"layers": [{"name": "a", "#, to: "cut.json")
        for file in ["bad.json", "cut.json"] {
            for words in [["recipe", "check"], ["recipe", "show"], ["build", "-o", "a.mbtiles"]] {
                let result = try terminal.covey(with: words + [file])
                #expect(result.exitCode == 1)
                #expect(result.words.hasPrefix("covey: \(file): "), "\(result.words)")
            }
        }
        let checked = try terminal.shell(
            "\"$COVEY\" recipe show points.csv | \"$COVEY\" recipe check -")
        #expect(checked.exitCode == 0, "\(checked.words)")
    }

    @Test func `a list of points to remove of which none is there is told of`() throws {
        _ = try build("--keep-points")
        try terminal.write("x\ny\n", to: "gone.txt")
        let vain = "none of the points to remove is there\n"
        let quiet = try terminal.covey(
            "update", "a.mbtiles", "--delete", "gone.txt", "--key", "name", "-q")
        #expect(quiet.exitCode == 0 && quiet.words == vain, "\(quiet.words)")
        try terminal.write("x\np1\n", to: "gone.txt")
        let some = try terminal.covey(
            "update", "a.mbtiles", "--delete", "gone.txt", "--key", "name", "-q")
        #expect(some.words == "", "\(some.words)")
    }

    @Test func `leaves that are not all say so, and have no tree`() throws {
        _ = try build("--cluster-radius", "200")
        let found = try terminal.covey(
            "clusters", "a.mbtiles", "--containing", "0,0", "--zoom", "0", "--json")
        let id = try #require(
            try JSONValue(parsing: found.output).asObject?["properties"]?.asObject?["cluster_id"])
        func leaves(_ words: String...) throws -> String {
            try terminal.covey("clusters", "a.mbtiles", "\(id.text())", "leaves", with: words).words
        }
        let told = "these are 10 of 12 points; --limit 12 shows all\n"
        #expect(try leaves() == told)
        #expect(try leaves("--csv") == told)
        #expect(try leaves("--csv", "--limit", "3") == "")
        #expect(try leaves("--offset", "2") == "")
        #expect(try leaves("--json") == "")
        #expect(try leaves("--tree").contains("--tree has nothing to do with leaves"))
    }

    @Test func `the output of convert may be named with -o, and once`() throws {
        _ = try build()
        #expect(try terminal.covey("convert", "a.mbtiles", "-o", "b.mbtiles", "-q").exitCode == 0)
        let two = try terminal.covey("convert", "a.mbtiles", "c.mbtiles", "-o", "d.mbtiles")
        #expect(two.exitCode == 2 && two.words.contains("c.mbtiles and -o d.mbtiles are two"))
        #expect(try terminal.covey("convert", "a.mbtiles").words.contains("OUT is missing"))
    }

    @Test func `messages name what was asked for`() throws {
        _ = try build()
        let deep = try terminal.covey("convert", "a.mbtiles", "b.mbtiles", "--min-zoom", "15")
        #expect(deep.words.contains("no tile lies at those zooms;"), "\(deep.words)")
        let nowhere = try terminal.shell(
            "TMPDIR=/nonexist \"$COVEY\" build points.csv -o b.mbtiles --cell-zoom 1")
        #expect(nowhere.exitCode == 1 && nowhere.words.contains("covey: /nonexist: "))
        #expect(!nowhere.words.contains("--job"), "\(nowhere.words)")
        try terminal.write("", to: "empty/nothing")
        let empty = try terminal.covey("style", "empty/")
        #expect(
            empty.exitCode == 1 && empty.words.contains("neither metadata.json nor"),
            "\(empty.words)")
    }
}
