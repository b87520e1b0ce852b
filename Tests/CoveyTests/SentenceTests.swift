import Foundation
import Testing

/// What verbs say at their end, and the status that they end with: by the line, word for word.
struct SentenceTests {
    private static let built = Result { () throws -> Terminal in
        let terminal = try Terminal()
        try terminal.write(ServingVerbsTests.points, to: "points.csv")
        let made = try terminal.shell(
            """
            "$COVEY" build points.csv -o p.mbtiles -q --max-zoom 8 --id id --keep-points
            "$COVEY" build points.csv -o q.pmtiles -q --max-zoom 8 --id id --keep-points
            "$COVEY" convert p.mbtiles part.pmtiles -q --bbox 9,-1,11,1
            printf '\\032\\005\\170\\002' >bad.mvt; printf '9\\n1\\n' >gone.txt
            """)
        #expect(made.exitCode == 0, "\(made.words)")
        return terminal
    }

    /// What people and programs read, sizes and seconds left open: how tightly tiles are packed is for others to say.
    private static func run(_ line: String) throws -> (code: Int32, output: String, words: String) {
        let result = try built.get().shell("\"$COVEY\" \(line)")
        func open(_ text: String) -> String {
            text.replacing(/[0-9.]+ k?B/, with: "SIZE").replacing(/[0-9.]+ s\b/, with: "TIME")
        }
        return (result.exitCode, open(result.output), open(result.words))
    }

    private static let kept = """
          the index of clusters is left out: it would tell of points outside the box
          tilestats are left out: they count what other tiles hold too

        """

    @Test(arguments: [
        (
            "convert p.mbtiles c1.pmtiles",
            "c1.pmtiles, c1.clusters.pmtiles: 24 tiles, SIZE, 1 cluster indexed\n"
        ),
        ("convert p.mbtiles c2.pmtiles -q", ""),
        (
            "convert p.mbtiles c3.pmtiles --bbox 9,-1,11,1",
            "c3.pmtiles: 16 tiles, SIZE\n" + kept
        ),
        ("convert part.pmtiles c4.mbtiles", "c4.mbtiles: 16 tiles, SIZE\n"),
        (
            "join p.mbtiles q.pmtiles -o j1.mbtiles --name J",
            """
            j1.mbtiles: 24 tiles, SIZE, 24 written anew, 2 clusters indexed
              layer points is in several archives: its points were clustered apart, so clusters of one may \
            lie on those of another
              layer points: 16 times a point of one archive has the id of another's in the same tile; give \
            them other ids, or name the layers apart

            """
        ),
        ("join p.mbtiles q.pmtiles -o j2.mbtiles -q", ""),
    ])
    func `what was converted is told in a line, and what was lost below it`(
        line: String, words: String
    ) throws {
        let result = try Self.run(line)
        #expect(result.code == 0 && result.output.isEmpty)
        #expect(result.words == words)
    }

    @Test(arguments: [
        ("--min-zoom 32", "--min-zoom 32: this should be 0 to 31"),
        ("--max-zoom -1", "--max-zoom -1: this should be 0 to 31"),
        ("--max-zoom 32", "--max-zoom 32: this should be 0 to 31"),
        ("--min-zoom -1 --max-zoom 3", "--min-zoom -1: this should be 0 to 31"),
        ("--min-zoom 4 --max-zoom 3", "--min-zoom 4 is deeper than --max-zoom 3"),
        ("--compression 13", "--compression 13: this should be 0 to 12"),
        ("--compression -1", "--compression -1: this should be 0 to 12"),
    ])
    func `numbers beyond what there is are refused by name`(words: String, problem: String) throws {
        for line in ["convert p.mbtiles no.pmtiles", "join p.mbtiles q.pmtiles -o no.pmtiles"] {
            let result = try Self.run("\(line) \(words)")
            #expect(result.code == 2 && result.output.isEmpty)
            #expect(result.words.hasPrefix("covey: \(problem)"), "\(result.words)")
        }
    }

    @Test(arguments: ["--min-zoom 3 --max-zoom 3", "--min-zoom 0 --max-zoom 31"])
    func `zooms just within them are taken`(words: String) throws {
        let name = "z\(words.count)-\(words.last ?? "0").pmtiles"
        let result = try Self.run("convert p.mbtiles \(name) -q \(words)")
        #expect(result.code == 0 && result.words.isEmpty, "\(result.words)")
        // The deepest there is may be asked for by itself; that the archive has none is no bad usage.
        #expect(try Self.run("convert p.mbtiles no.pmtiles --min-zoom 31").code == 1)
    }

    @Test func `two archives are told to be the same, or what differs and where first`() throws {
        let same = try Self.run("diff p.mbtiles p.mbtiles")
        #expect(same.code == 0 && same.output == "no difference\n" && same.words.isEmpty)
        let other = try Self.run("diff p.mbtiles part.pmtiles")
        #expect(other.code == 1)
        #expect(other.words == "covey: p.mbtiles and part.pmtiles differ\n")
        #expect(other.output.hasPrefix("metadata bounds\n  A -169.999997,"))
        #expect(
            other.output.hasSuffix(
                """
                zoom  same  repacked  changed  only A  only B  features A  features B  first
                   0     1         0        0       0       0           0           0  
                   1     2         0        0       1       0           1           0  1/0/0
                   2     2         0        0       1       0           1           0  2/0/1
                   3     2         0        0       1       0           1           0  3/0/2
                   4     2         0        0       1       0           1           0  4/0/4
                   5     2         0        0       1       0           1           0  5/0/9
                   6     2         0        0       1       0           1           0  6/1/18
                   7     1         0        0       1       0           1           0  7/3/37
                   8     2         0        0       1       0           1           0  8/7/74

                """))
        // The other way around it is told of the other.
        let turned = try Self.run("diff part.pmtiles p.mbtiles --tiles")
        let tiles = [
            "1/0/0", "2/0/1", "3/0/2", "4/0/4", "5/0/9", "6/1/18", "7/3/37", "8/7/74",
        ]
        #expect(turned.code == 1)
        #expect(turned.output == tiles.map { "\($0)\tadded\n" }.joined())
        let json = try Self.run("diff part.pmtiles p.mbtiles --tiles --json")
        #expect(json.output.hasPrefix("{\"tile\":\"1/0/0\",\"change\":\"added\"}\n"))
    }

    @Test(arguments: [
        (
            "p.mbtiles", 0,
            "p.mbtiles: 24 tiles decoded, clusters held against their index\nall is well\n"
        ),
        (
            "part.pmtiles", 0,
            """
            part.pmtiles: 16 tiles decoded, clusters checked by tiles alone
            all is well

            """
        ),
        ("p.mbtiles -q", 0, ""),
    ])
    func `a check that finds nothing says what it looked at`(words: String, code: Int, told: String)
        throws
    {
        let result = try Self.run("verify \(words)")
        #expect(result.code == code && result.output == told && result.words.isEmpty)
    }

    @Test(arguments: ["", "-q", "--json"])
    func `a check that finds something ends with 1, however it is told`(words: String) throws {
        let result = try Self.run("verify bad.mvt \(words)")
        #expect(result.code == 1 && result.output.contains("MVT"), "\(result.output)")
        #expect(result.words == "covey: bad.mvt: not as it should be; the findings say where\n")
    }

    @Test func `children are told without a word, and that there is no parent in one`() throws {
        let first = try Self.built.get().shell(
            "\"$COVEY\" clusters p.mbtiles --containing 10,0 --zoom 0 --json")
        let id = try FigureTests.integer(FigureTests.object(first.output), "id")
        let children = try Self.run("clusters p.mbtiles \(id) children")
        #expect(children.code == 0 && children.words.isEmpty, "\(children.words)")
        #expect(children.output.split(separator: "\n").count == 5, "\(children.output)")
        let parent = try Self.run("clusters p.mbtiles \(id) parent")
        #expect(parent.code == 0 && parent.output.isEmpty)
        #expect(parent.words == "cluster \(id) has no parent: nothing holds it\n")
    }

    @Test func `an update says what came, went and was not there`() throws {
        let copied = try Self.run("update q.pmtiles -o u.pmtiles --delete gone.txt --progress none")
        let line = "0 added, 0 replaced, 1 removed, 1 deletion of points that are not there\n"
        #expect(copied.code == 0 && copied.words.hasPrefix(line), "\(copied.words)")
        let quiet = try Self.run("update q.pmtiles -o v.pmtiles --delete gone.txt -q")
        #expect(quiet.code == 0 && quiet.words.isEmpty && quiet.output.isEmpty)
        let none = try Self.run("update q.pmtiles")
        #expect(none.code == 2 && none.words.hasPrefix("covey: CHANGES is missing\n"))
    }

    @Test(arguments: [
        ("build points.csv", "covey: -o OUT is missing\n       write -o points.mbtiles\n"),
        ("build points.csv b.csv", "covey: -o OUT is missing\n       write -o points.mbtiles\n"),
        ("build b.csv points.csv", "covey: -o OUT is missing\n       write -o b.mbtiles\n"),
        ("cells gone", "covey: covey cells does not know gone\n"),
        ("recipe chek a", "covey: covey recipe does not know chek\n       did you mean check?\n"),
        ("recipe check", "covey: RECIPE.json is missing\n"),
        ("recipe check a b", "covey: b is one argument too many\n"),
        ("help nothing", "covey: there is no verb nothing"),
        (
            "build points.csv -o a.mbtiles -E a:sum:b",
            "covey: -E a:sum:b is an option of tippecanoe\n       write --aggregate NAME=OP:ATTR: OP is sum"
        ),
    ])
    func `a line that cannot be meant ends with 2 and is told what to write`(
        line: String, words: String
    ) throws {
        let result = try Self.run(line)
        #expect(result.code == 2 && result.output.isEmpty)
        #expect(result.words.hasPrefix(words), "\(result.words)")
    }
}
