import Foundation
import JSON
import Testing

/// The steps over a folder as a program runs them: points in parts, cells by name, and a line of JSON for each.
struct CellPartTests {
    private static let points = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(
            path: "PointInputTests/Resources/Samples/Columns/grown.arrows")
    private static let recipe = "--layer points --max-zoom 4 --progress none --job job"

    private let terminal: Terminal

    init() throws {
        terminal = try Terminal()
        try Data(contentsOf: Self.points).write(to: terminal.folder.appending(path: "a.arrows"))
    }

    /// What a line prints, which must end well, as JSON.
    private func lines(_ words: String) throws -> [JSONObject] {
        let result = try terminal.shell("\"$COVEY\" cells \(words)")
        #expect(result.exitCode == 0 && result.words.isEmpty, "\(words): \(result.words)")
        return try result.output.split(separator: "\n").map {
            try FigureTests.object(String($0))
        }
    }

    private func status() throws -> JSONObject { try lines("status --job job --json")[0] }

    /// The cells that are left, and their points.
    private func left() throws -> [(cell: String, points: JSONValue)] {
        try #require(try status()["left"]?.asArray).compactMap {
            guard let pair = $0.asArray, let name = pair.first?.asString else { return nil }
            return (name, pair[1])
        }
    }

    @Test func `a part tells how many points it has, where they lie, and what became of records`()
        throws
    {
        let part = try lines("read \(Self.recipe) <a.arrows")[0]
        for (key, value) in [
            ("points", 36), ("records", 36), ("kept", 36), ("passes", 1), ("rejected", [:]),
            ("samples", []), ("notes", []),
        ] as [(String, JSONValue)] { #expect(part[key] == value, "\(key)") }
        let stretch = try #require(part["stretch"]?.asArray)
        #expect(stretch == [1_154_048, 2_092_981])
        #expect(part["part"]?.asString?.hasPrefix("0-") == true)
        // Twice the same, whatever it is called.
        #expect(try lines("read \(Self.recipe) --input-name b <a.arrows")[0] == part)
        let none = try lines(
            "read \(Self.recipe) --input-name 'part 7' --filter '[\"==\",\"a\",1]' <a.arrows")[0]
        #expect(none["points"] == 0 && none["kept"] == 0 && none["records"] == 36)
        #expect(none["stretch"] == [] && none["rejected"] == ["left out by the filter": 36])
        let samples = (1...3).map {
            JSONValue.string("part 7: row \($0) does not match the filter")
        }
        #expect(none["samples"] == .array(samples))
        let misspelt = try lines("read \(Self.recipe) --exclude Class <a.arrows")[0]
        let words = "--exclude: no record has an attribute Class; did you mean class?"
        #expect(misspelt["notes"] == [.string(words)])
    }

    @Test func `what was left out is told in the order of its reasons`() throws {
        let filter = #"--filter '["<","number",1]' --weight class --skip-invalid"#
        for _ in 0..<4 {
            let part = try terminal.shell(
                "\"$COVEY\" cells read \(Self.recipe) \(filter) <a.arrows")
            let told = #""rejected":{"with an unusable weight":3,"left out by the filter":33}"#
            #expect(part.output.contains(told), "\(part.output)")
        }
    }

    @Test func `a part goes to the layer that is named, and to one that there is`() throws {
        let layers = #"{"layers":[{"name":"a","sources":["x"]},{"name":"b","sources":["y"]}]}"#
        try terminal.write(layers, to: "r.json")
        let read = "read r.json --job job --progress none"
        for (name, start) in [("a", "0-"), ("b", "1-")] {
            let part = try lines("\(read) --into \(name) <a.arrows")[0]
            #expect(part["part"]?.asString?.hasPrefix(start) == true)
        }
        for (words, problem) in [
            ("", "the recipe has 2 layers\n       name one with --into: a, b"),
            ("--into c", "the recipe has no layer c\n       it has a, b"),
        ] {
            let refused = try terminal.shell("\"$COVEY\" cells \(read) \(words) <a.arrows")
            #expect(refused.exitCode == 2 && refused.words.contains(problem), "\(refused.words)")
        }
    }

    @Test func `parts become an archive step by step, each told as it is done`() throws {
        let part = try lines("read \(Self.recipe) <a.arrows")[0]["part"]?.asString ?? ""
        try terminal.write(part + "\n", to: "parts.txt")
        var gathered: [JSONObject] = []
        for task in 1...2 {
            gathered += try lines("gather --parts parts.txt --task \(task)/2 \(Self.recipe)")
        }
        #expect(gathered.count == 2 && gathered.allSatisfy { $0["points"] != 0 })
        let names = gathered.compactMap { $0["part"]?.asString }
        try terminal.write(names.joined(separator: "\n"), to: "parts.txt")
        #expect(try lines("plan --parts parts.txt --cell-zoom 1 \(Self.recipe)").isEmpty)
        for step in ["cluster", "tiles", "index"] {
            if step == "tiles" { _ = try terminal.covey("cells", "top", "--job", "job", "-q") }
            let before = try status()
            #expect(before["next"] == .string(step) && before["points"] == 36)
            #expect(before["top"] == .bool(step != "cluster") && before["rounds"] == 1)
            let left = try left()
            #expect(left.count == (step == "index" ? 1 : 4))
            let cells = left.map(\.cell).joined(separator: ",")
            let done = try lines("\(step) --job job --progress none --cells \(cells)")
            #expect(done.map { $0["cell"]?.asString } == left.map(\.cell))
            #expect(done.map { $0["points"] } == left.map(\.points))
            #expect(done.allSatisfy { $0["new"] == true && $0["attempts"] == 1 })
            let looked = step == "cluster" ? 36 : 0
            #expect(done.allSatisfy { $0["looked"] == .integer(Int64(looked)) })
            // What is done is not done again, and says so.
            let again = try lines("\(step) --job job --progress none --cells \(left[0].cell)")
            #expect(again.map { $0["new"] } == [false])
        }
        let merged = try terminal.covey("cells", "merge", "--job", "job", "-o", "a.mbtiles", "-q")
        #expect(merged.exitCode == 0)
        #expect(try status()["next"] == "merge")
        try expectWhole(Self.recipe)
    }

    /// All points at once make the same archive, where they fit.
    private func expectWhole(_ recipe: String) throws {
        let whole = "\"$COVEY\" cells whole --parts parts.txt \(recipe) -o"
        #expect(try terminal.shell("\(whole) b.mbtiles -q").words.isEmpty)
        #expect(try terminal.covey("diff", "a.mbtiles", "b.mbtiles").output == "no difference\n")
        let problem = """
            covey: these points do not fit the memory, so nothing was built
                   cut them with covey cells plan --parts parts.txt, or raise --memory

            """
        for (words, said) in [("", problem), ("-q", "")] {
            let small = try terminal.shell("\(whole) c.mbtiles --memory 1k \(words)")
            #expect(small.exitCode == 0 && small.output.isEmpty && small.words == said)
            #expect(try !terminal.names.contains("c.mbtiles"))
        }
    }

    @Test func `steps without what they need say what is missing`() throws {
        for (words, problem) in [
            ("plan", "INPUT is missing"), ("gather", "--parts FILE is missing"),
            ("whole", "--parts FILE is missing"), ("whole --parts p", "-o OUT is missing"),
            ("merge", "-o OUT is missing"),
        ] {
            let refused = try terminal.shell("\"$COVEY\" cells \(words) --job none")
            #expect(refused.exitCode == 2 && refused.words.contains(problem), "\(refused.words)")
        }
        #expect(try terminal.covey("cells", "plan").words.contains("--job DIR is missing"))
    }

    @Test
    func
        `files are asked for by name, and what lies in them by where it begins and how long it is`()
        throws
    {
        let part = try lines("read \(Self.recipe) <a.arrows")[0]["part"]?.asString ?? ""
        try terminal.write(part + "\n", to: "parts.txt")
        _ = try lines("plan --parts parts.txt --cell-zoom 1 \(Self.recipe)")
        var asked: [[JSONValue]] = []
        for step in ["cluster", "top", "tiles", "index"] {
            let line = "yes | \"$COVEY\" cells \(step) --ask --job job --progress none -q"
            asked += try terminal.shell(line).output.split(separator: "\n").flatMap {
                try FigureTests.object(String($0))["bring"]?.asArray ?? []
            }.compactMap(\.asArray)
        }
        #expect(asked[0] == ["plan.json"])
        let ofPart = asked.filter { $0[0] == .string("parts/\(part)") }
        #expect(ofPart == [[.string("parts/\(part)"), 0, .integer(.max)]])
        let clusters = asked.filter { $0[0].asString?.hasSuffix("/top/clusters") == true }
        let name = try #require(clusters.first?.first?.asString)
        // All of it, at once.
        let size = try terminal.bytes("job/" + name).count
        #expect(clusters.map { Array($0.dropFirst()) } == [[0, .integer(Int64(size))]])
    }
}
