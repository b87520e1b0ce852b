import Arguments
import Foundation
import Testing

@testable import covey

/// Lines whose words are each fine and make no sense together, asked before any file is looked at.
struct ContradictionTests {
    private static func error(_ verb: any Verb.Type, _ words: [String]) -> String {
        do {
            try verb.run(try verb.syntax.parse(words), console: Console())
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        (["--containing", "1,2"], "no zoom from 0 to 31\nadd --zoom Z"),
        (["--containing", "1,2", "--zoom", "32"], "no zoom from 0 to 31\nadd --zoom Z"),
        (["--containing", "1,2", "--zoom", "-1"], "no zoom from 0 to 31\nadd --zoom Z"),
        (["7", "--containing", "1,2", "--zoom", "3"], "both name a cluster\nleave one out"),
        (["7", "leaves", "--containing", "1,2", "--zoom", "3"], "both name a cluster"),
        (["--containing", "1,2", "--zoom", "3", "leafs"], "QUESTION leafs: this should be"),
        (["--containing", "1,2", "--zoom", "3", "leaves", "--limit", "3"], "/nowhere/a.mbtiles"),
        ([], "CLUSTER_ID is missing"), (["--tree"], "CLUSTER_ID is missing"),
        (
            ["7", "--json", "--geojson"],
            "--json and --geojson are two kinds of output\nleave one out"
        ),
        (
            ["7", "--csv", "--geojson"],
            "--geojson and --csv are two kinds of output\nleave one out"
        ),
        (["7", "--json", "--csv"], "--json and --csv are two kinds of output\nleave one out"),
        (["7", "--offset", "-1"], "--offset -1: this should be 0 or more"),
        (["7", "--limit", "-1"], "--limit -1: this should be 0 or more"),
        (["7", "--depth", "-3"], "--depth -3: this should be 0 or more"),
        (["7", "--depth", "0"], "--depth has nothing to do with cluster\nleave it out"),
        (["7", "bbox", "--geojson"], "--geojson has nothing to do with bbox\nleave it out"),
        (["7", "tree", "--geojson"], "--geojson has nothing to do with tree"),
        (["7", "--tree", "--geojson"], "--geojson has nothing to do with tree"),
        (["7", "expansion-zoom", "--geojson"], "nothing to do with expansion-zoom"),
        (["7", "parent", "--geojson"], "/nowhere/a.mbtiles"),
        (["7", "leaves", "--offset", "0", "--limit", "0"], "/nowhere/a.mbtiles"),
        (["7", "tree", "--depth", "0"], "/nowhere/a.mbtiles"),
        (["--containing", "1,2", "--zoom", "31"], "/nowhere/a.mbtiles"),
        (["--containing", "1,2", "--zoom", "0", "--json"], "/nowhere/a.mbtiles"),
        (
            ["--containing", "1,2", "--zoom", "0", "--csv"],
            "--csv has nothing to do with --containing"
        ),
    ])
    func `questions about clusters name one cluster, one kind of output and no negative number`(
        words: [String], text: String
    ) {
        #expect(Self.error(ClustersVerb.self, ["/nowhere/a.mbtiles"] + words).contains(text))
    }

    @Test(arguments: [
        (
            ["--aggregate", "a=sum:v", "--aggregate", "b=sum:v", "--aggregate", "a=max:v"],
            "--aggregate names a"
        ),
        (["--type", "v:text", "--type", "v:number"], "--type names v"),
    ])
    func `a name that is given twice is refused`(words: [String], text: String) {
        let error = Self.error(
            BuildVerb.self, ["/nowhere/a.csv", "-o", "/nowhere/b.pmtiles"] + words)
        #expect(error == text + " twice\nleave one of them out")
    }

    @Test(arguments: ["m.example", "https://", "https://m.example/path", "//m.example"])
    func `an origin has a scheme and a host`(word: String) {
        let error = Self.error(ServeVerb.self, ["/nowhere", "--cors", word])
        #expect(error == "--cors \(word): this should be origins such as https://example.org")
    }

    @Test func `a record of a point alone in a file is read, and is no recipe`() throws {
        let terminal = try Terminal()
        try terminal.write(#"{"lon": 8, "lat": 47}"#, to: "a.json")
        let words = ["a.json", "-o", "a.pmtiles", "--max-zoom", "2", "--force"]
        for format in [[], ["--format", "geojson"]] {
            let built = try terminal.covey("build", with: format + words)
            #expect(built.exitCode == 0 && built.words.contains("a: 1 record in, 1 point kept"))
        }
    }

    private static let modes = [
        ["--json"], ["--geojson"], ["--raw"], ["--inflate"], ["--list"], ["--nodes"],
        ["--heaviest", "3"],
    ]

    @Test func `an archive is shown in one way`() {
        for (index, mode) in Self.modes.enumerated() {
            #expect(Self.error(InspectVerb.self, ["/nowhere/a"] + mode).contains("/nowhere/a"))
            for other in Self.modes[(index + 1)...] {
                for words in [mode + other, other + mode] {
                    #expect(
                        Self.error(InspectVerb.self, ["/nowhere/a"] + words)
                            == "\(mode[0]) and \(other[0]) are two kinds of output\nleave one out")
                }
            }
        }
    }

    @Test(arguments: [
        (["3/1/1", "--at", "1,2"], "--at and 3/1/1 both name a tile\nleave one out"),
        (["--at", "1,2"], "--at names a position, but not at which zoom\nadd --zoom Z"),
        (
            ["--at", "1,2", "--zoom", "3-4"],
            "--at names a position, but not at which zoom\nadd --zoom Z"
        ),
        (["--at", "1,2", "--zoom", "4-4"], "/nowhere/a"),
        (["3/9/1"], "Z/X/Y 3/9/1: this should be a tile"),
        (["3/1/1"], "/nowhere/a"),
    ])
    func `a tile is named once, at one zoom`(words: [String], text: String) {
        #expect(Self.error(InspectVerb.self, ["/nowhere/a"] + words).contains(text))
    }

    @Test(
        arguments: [
            ("1", 1), ("1K", 1_024), ("1k", 1_024), ("800M", 838_860_800), ("1.5G", 1_610_612_736),
            ("2T", 2_199_023_255_552), ("0.0001M", 104), ("0", nil), ("-1M", nil), ("M", nil),
            ("1MM", nil),
            ("1P", nil), ("inf", nil), ("nan", nil), ("1e30", nil), ("", nil),
        ] as [(String, Int?)])
    func `memory is a number, with a letter for each 1024`(word: String, bytes: Int?) {
        #expect((try? MemorySize(argument: word))?.bytes == bytes)
    }

    @Test(
        arguments: [("1", 1), ("1024", 1_024), ("0", nil), ("1025", nil), ("-1", nil), ("x", nil)]
            as [(String, Int?)])
    func `threads are one or more, and not too many`(word: String, number: Int?) {
        #expect((try? ThreadCount(argument: word))?.number == number)
    }

    @Test func `cells have a zoom from 0 to 11 and a margin of 0 or more`() throws {
        func cells(_ words: [String]) throws -> (zoom: Int?, margin: Double?) {
            let cells = try BuildVerb.cells(try BuildVerb.syntax.parse(["a.csv"] + words))
            return (cells.zoom, cells.margin)
        }
        for (word, isOne) in [("0", true), ("11", true), ("-1", false), ("12", false)] {
            #expect((try? cells(["--cell-zoom=\(word)"]).zoom) == (isOne ? Int(word) : nil))
        }
        for (word, isOne) in [("0", true), ("2.5", true), ("-0.1", false)] {
            #expect((try? cells(["--cell-margin=\(word)"]).margin) == (isOne ? Double(word) : nil))
        }
        let none = try cells([])
        #expect(none.zoom == nil && none.margin == nil)
    }

    @Test func `a job has a folder of its own, in one that is there`() throws {
        let folder = URL.temporaryDirectory.appending(path: "covey-job-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, new) = (folder.path + "/file", folder.path + "/new")
        try Data().write(to: URL(filePath: file))
        func isTaken(_ job: String, apartFrom output: String? = nil) throws -> Bool {
            let arguments = try BuildVerb.syntax.parse(["a.csv", "--job", job])
            return (try? BuildVerb.jobFolder(arguments, apartFrom: output)) != nil
        }
        #expect(try isTaken(new) && isTaken(new + "/") && isTaken("here"))
        #expect(try isTaken(folder.path + "/.", apartFrom: new))
        #expect(try !isTaken(file) && !isTaken(new + "/deeper"))
        #expect(try !isTaken(new, apartFrom: new + "/") && !isTaken(new + "/", apartFrom: new))
        #expect(try isTaken(new, apartFrom: file))
    }
}
