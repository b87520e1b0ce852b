import Foundation
import JSON
import Testing

/// What each switch of a verb changes in what the verb says and writes, and what stays.
struct SwitchTests {
    private static let built = Result {
        let terminal = try Terminal()
        var lines = ["longitude,latitude,n"]
        for index in 0..<60 {
            lines.append("\(Double(index % 8) * 3 - 10),\(Double(index / 8) * 2 + 40),\(index)")
        }
        try terminal.write(lines.joined(separator: "\n"), to: "in.csv")
        let result = try terminal.covey("build", "in.csv", "-o", "a.mbtiles", "--max-zoom", "4")
        try #require(result.exitCode == 0, "\(result.words)")
        return terminal
    }

    private func terminal() throws -> Terminal { try Self.built.get() }

    private static func number(_ text: String, _ keys: String...) throws -> Double? {
        var value = try JSONValue(parsing: text)
        for key in keys { value = value.asObject?[key] ?? .null }
        return value.asNumber
    }

    @Test func `a conversion tells people, machines or no one`() throws {
        let terminal = try terminal()
        let told = try terminal.covey("convert", "a.mbtiles", "told.pmtiles")
        #expect(told.exitCode == 0 && told.output.isEmpty)
        #expect(
            told.words.hasPrefix("told.pmtiles, told.clusters.pmtiles: ")
                && told.words.contains(" clusters indexed"))
        let quiet = try terminal.covey("convert", "a.mbtiles", "quiet.pmtiles", "-q")
        #expect(quiet.exitCode == 0 && quiet.output.isEmpty && quiet.words.isEmpty)
        let json = try terminal.covey("convert", "a.mbtiles", "json.pmtiles", "--json")
        #expect(json.exitCode == 0 && json.words.isEmpty)
        let tiles = try Self.number(json.output, "tiles") ?? 0
        #expect(told.words.contains("\(Int(tiles)) tiles,"))
        #expect(try Self.number(json.output, "min_zoom") == 0)
        #expect(try Self.number(json.output, "max_zoom") == 4)
        #expect(try terminal.bytes("told.pmtiles") == terminal.bytes("json.pmtiles"))
        #expect(try terminal.bytes("told.pmtiles") == terminal.bytes("quiet.pmtiles"))
        let again = try terminal.covey("convert", "a.mbtiles", "json.pmtiles")
        #expect(again.exitCode != 0 && again.words.contains("json.pmtiles"))
        #expect(try terminal.covey("convert", "a.mbtiles", "json.pmtiles", "-f").exitCode == 0)
    }

    @Test(arguments: [
        (["--min-zoom", "2"], 2, 4), (["--max-zoom", "3"], 0, 3),
        (["--min-zoom", "1", "--max-zoom", "1"], 1, 1),
        (["--min-zoom", "0", "--max-zoom", "31"], 0, 4),
    ])
    func `zooms that are left out are those that were named`(
        words: [String], first: Int, last: Int
    ) throws {
        let terminal = try terminal()
        let name = "part" + words.joined() + ".mbtiles"
        let result = try terminal.covey("convert", "a.mbtiles", name, "--json", with: words)
        #expect(try Self.number(result.output, "min_zoom") == Double(first))
        #expect(try Self.number(result.output, "max_zoom") == Double(last))
        let all = try JSONValue(
            parsing: terminal.covey("inspect", name, "--json").output)
        let zooms = all.asObject?["zooms"]?.asArray?.compactMap { $0.asObject?["zoom"]?.asNumber }
        if let zooms { #expect(zooms == (first...last).map(Double.init)) }
    }

    @Test(arguments: [
        ["--min-zoom", "32"], ["--max-zoom", "-1"], ["--min-zoom", "3", "--max-zoom", "2"],
        ["--compression", "13"], ["--compression", "-1"], ["--bbox", "0,0,1"],
    ])
    func `what cannot be is refused before anything is written`(words: [String]) throws {
        let terminal = try terminal()
        let result = try terminal.covey("convert", "a.mbtiles", "never.mbtiles", with: words)
        #expect(result.exitCode == 2 && result.words.contains(words[0]))
        #expect(try !terminal.names.contains("never.mbtiles"))
    }

    @Test func `threads are one at least, for every verb that has some`() throws {
        let terminal = try terminal()
        for threads in ["0", "-1", "1025", "all"] {
            for words in [
                ["verify", "a.mbtiles"], ["build", "a.csv", "-o", "b.mbtiles"],
                ["convert", "a.mbtiles", "b.pmtiles"], ["inspect", "a.mbtiles"],
                ["update", "a.mbtiles", "a.csv"],
            ] {
                let result = try terminal.covey(with: words + ["--threads", threads])
                #expect(
                    result.exitCode == 2 && result.words.contains("a number from 1 to 1024"),
                    "\(words): \(result.words)")
            }
        }
    }

    @Test(arguments: [
        ("children", ["--limit", "3"]), ("children", ["--csv"]), ("hull", ["--csv"]),
        ("leaves", ["--depth", "2"]),
        ("parent", ["--offset", "1"]), ("hull", ["--zoom", "3"]),
        ("cluster", ["--zoom", "3"]),
    ])
    func `what an answer does nothing with is refused`(question: String, idle: [String]) throws {
        let result = try terminal().covey("clusters", "a.mbtiles", "1", question, with: idle)
        #expect(
            result.exitCode == 2
                && result.words.contains("\(idle[0]) has nothing to do with \(question)"),
            "\(result.words)")
    }

    @Test(arguments: [
        (["--box", "0,0,1,1"], "an archive"),
        (["--heaviest", "2", "--box", "0,0,1,1"], "--heaviest"),
        (["--first", "3"], "an archive"), (["0/0/0", "--geojson", "--first", "3"], "--geojson"),
        (["--geojson", "--zoom", "0", "--tile-coordinates"], "--geojson"),
        (["0/0/0", "--tile-coordinates"], "a tile"), (["0/0/0", "--zoom", "3"], "a tile"),
    ])
    func `what inspect does nothing with is refused`(words: [String], asked: String) throws {
        let result = try terminal().covey("inspect", "a.mbtiles", with: words)
        #expect(
            result.exitCode == 2 && result.words.contains("has nothing to do with \(asked)\n"),
            "\(words): \(result.words)")
        for words in [["--list", "--box", "0,0,1,1", "--zoom", "0-3"], ["0/0/0", "--first", "3"]] {
            #expect(try terminal().covey("inspect", "a.mbtiles", with: words).exitCode == 0)
        }
    }

    @Test func `a cluster found by its position is shown, where no question is asked of it`() throws
    {
        for idle in ["--csv", "--limit=3", "--offset=1", "--depth=2"] {
            let result = try terminal().covey(
                "clusters", "a.mbtiles", "--containing", "7,47", "--zoom", "3", with: [idle])
            let option = idle.prefix { $0 != "=" }
            #expect(
                result.exitCode == 2
                    && result.words.contains("\(option) has nothing to do with --containing"),
                "\(result.words)")
        }
    }

    @Test func `what is said of folders is refused for files`() throws {
        let terminal = try terminal()
        for words in [["--gzip"], ["--public-url", "https://a.example/"]] {
            let result = try terminal.covey("convert", "a.mbtiles", "b.pmtiles", with: words)
            #expect(result.exitCode == 2 && result.words.contains("b.pmtiles is a file"))
            #expect(
                try terminal.covey("convert", "a.mbtiles", "b/", "-q", "-f", with: words).exitCode
                    == 0)
        }
    }

    @Test func `a check tells people, machines or no one, and finds the same`() throws {
        let terminal = try terminal()
        let told = try terminal.covey("verify", "a.mbtiles")
        #expect(told.exitCode == 0 && told.output.contains("all is well"))
        let quiet = try terminal.covey("verify", "a.mbtiles", "--quiet", "--deep")
        #expect(quiet.exitCode == 0 && quiet.output.isEmpty && quiet.words.isEmpty)
        let json = try terminal.covey("verify", "a.mbtiles", "--json", "-q")
        #expect(try JSONValue(parsing: json.output).asObject != nil && json.exitCode == 0)
        #expect(try terminal.covey("verify", "a.mbtiles", "--threads", "1").exitCode == 0)
    }

    @Test func `one tile is shown by its numbers, and by a position in it`() throws {
        let terminal = try terminal()
        let byNumbers = try terminal.covey("inspect", "a.mbtiles", "3/4/2", "--geojson")
        let byPosition = try terminal.covey(
            "inspect", "a.mbtiles", "--at", "5,50", "--zoom", "3", "--geojson")
        #expect(byNumbers.exitCode == 0 && byNumbers.output == byPosition.output)
        #expect(byNumbers.output.contains("FeatureCollection"))
        let shown = try terminal.covey("inspect", "a.mbtiles", "3/4/2", "--first", "1")
        let more = try terminal.covey("inspect", "a.mbtiles", "3/4/2", "--first", "9")
        #expect(shown.output.count < more.output.count)
        for words in [
            ["3/4/2", "--at", "5,50", "--zoom", "3"], ["--at", "5,50"],
            ["--at", "5,50", "--zoom", "2-3"], ["3/9/2"], ["--list", "--nodes"],
            ["--json", "--geojson"], ["3/4/2", "--raw", "--inflate"], ["--threads", "0"],
        ] {
            let result = try terminal.covey("inspect", "a.mbtiles", with: words)
            #expect(result.exitCode == 2, "\(words)")
        }
    }

    @Test func `lists have a line for each tile, and the heaviest first`() throws {
        let terminal = try terminal()
        func lines(_ words: String...) throws -> [[Int]] {
            try terminal.covey("inspect", "a.mbtiles", with: words).output
                .split(separator: "\n").map { line in
                    line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
                }.filter { $0.count >= 4 }
        }
        let all = try lines("--list")
        let json = try terminal.covey("convert", "a.mbtiles", "count.pmtiles", "--json", "-f")
        #expect(Double(all.count) == (try Self.number(json.output, "tiles")))
        #expect(try lines("--list", "--zoom", "2-3") == all.filter { (2...3).contains($0[0]) })
        #expect(try lines("--list", "--zoom", "4") == all.filter { $0[0] == 4 })
        let bytes = all.reduce(0) { $0 + $1[3] }
        #expect(Double(bytes) == (try Self.number(json.output, "tile_bytes")))
    }
}
