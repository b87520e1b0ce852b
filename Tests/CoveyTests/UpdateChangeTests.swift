import Foundation
import JSON
import Testing

/// How `covey update` takes changes that come as people write them.
struct UpdateChangeTests {
    private static let points = "lon,lat,ref,price\n10,0,a,1\n10.2,0,b,2\n-170,60,c,3\n"

    private func terminal(with words: [String] = []) throws -> Terminal {
        let terminal = try Terminal()
        try terminal.write(Self.points, to: "points.csv")
        let built = try terminal.covey(
            "build", "points.csv", "-o", "a.mbtiles", "-q", "--max-zoom", "4", "--keep-points",
            with: words)
        #expect(built.exitCode == 0, "\(built.words)")
        return terminal
    }

    /// What an update says in the line of its counts, and behind it.
    private func update(_ terminal: Terminal, _ words: String...) throws -> String {
        let result = try terminal.covey("update", "a.mbtiles", "--key", "ref", with: words)
        #expect(result.exitCode == 0, "\(result.words)")
        return result.words
    }

    @Test func `a removal as a flat record of JSON needs no coordinates`() throws {
        let terminal = try terminal()
        try terminal.write(
            #"{"ref":"a","delete":true}"# + "\n" + #"{"ref":"d","lon":1,"lat":2}"# + "\n",
            to: "new.ndjson")
        #expect(try update(terminal, "new.ndjson").contains("1 added, 0 replaced, 1 removed"))
        try terminal.write(#"{"ref":"b"}"#, to: "odd.ndjson")
        let refused = try terminal.covey("update", "a.mbtiles", "odd.ndjson", "--key", "ref")
        #expect(refused.exitCode == 1 && refused.words.contains("look like coordinates"))
    }

    @Test func `blanks in a list of points that go are part of texts, and not of numbers`() throws {
        let terminal = try Terminal()
        try terminal.write(
            "lon,lat,ref\n10,0,a\n11,0,a\u{3000}\n12,0,7\n13,0,b\n", to: "points.csv")
        let built = try terminal.covey(
            "build", "points.csv", "-o", "a.mbtiles", "-q", "--max-zoom", "4", "--keep-points")
        #expect(built.exitCode == 0, "\(built.words)")
        try terminal.write("a\u{3000}\r\n\n  7 \r\n  \n b\n", to: "gone.txt")
        #expect(
            try update(terminal, "--delete", "gone.txt").contains(
                "2 removed, 1 deletion of points that are not there"))
        _ = try terminal.shell(#"printf '\314\n' > gone.txt"#)
        let refused = try terminal.covey(
            "update", "a.mbtiles", "--key", "ref", "--delete", "gone.txt")
        #expect(refused.exitCode == 1 && refused.words.contains("is no UTF-8"), "\(refused.words)")
    }

    @Test func `changes without the key are told to be new points`() throws {
        let terminal = try terminal()
        try terminal.write("lon,lat,reff\n10,0,a\n", to: "new.csv")
        let told = try update(terminal, "new.csv", "-q")
        #expect(told.contains("--key ref: no change has it") && told.contains("reff"), "\(told)")
    }

    @Test func `a list of points that go may begin with a byte order mark, or be empty`() throws {
        let terminal = try terminal()
        try terminal.write("\u{FEFF}a\r\nb\r\n", to: "gone.txt")
        #expect(try update(terminal, "--delete", "gone.txt").contains("2 removed"))
        try terminal.write("", to: "none.txt")
        #expect(
            try update(terminal, "--delete", "none.txt").contains("0 added, 0 replaced, 0 removed"))
    }

    @Test func `a key that no point has is refused, be it for changes or for deletions`() throws {
        let terminal = try terminal()
        let before = try terminal.bytes("a.mbtiles")
        try terminal.write("lon,lat,ref\n1,2,a\n", to: "new.csv")
        try terminal.write("a\n", to: "gone.txt")
        for words in [["new.csv"], ["--delete", "gone.txt"]] {
            let result = try terminal.covey("update", "a.mbtiles", "--key", "reff", with: words)
            #expect(
                result.exitCode == 1 && result.words.contains("no point has an attribute reff"),
                "\(result.words)")
        }
        #expect(try terminal.bytes("a.mbtiles") == before)
        // A key that is new comes with the changes.
        try terminal.write("lon,lat,code\n1,2,x\n", to: "code.csv")
        let result = try terminal.covey("update", "a.mbtiles", "code.csv", "--key", "code")
        #expect(result.exitCode == 0 && result.words.contains("1 added"), "\(result.words)")
        #expect(result.words.contains("--key code: no point had it before"), "\(result.words)")
    }

    @Test(arguments: [[], ["--job", "state"]])
    func `a key by which nothing can be found is told, with the one that was meant`(
        job: [String]
    ) throws {
        let terminal = try terminal(with: job)
        try terminal.write("lon,lat,Ref\n1,2,a\n", to: "new.csv")
        let told = "--key Ref: no point had it before, so all of these are new points"
        let first = try terminal.covey("update", "a.mbtiles", "new.csv", "--key", "Ref")
        #expect(first.words.contains(told + "; did you mean ref?"), "\(first.words)")
        // Now one has it.
        let second = try terminal.covey("update", "a.mbtiles", "new.csv", "--key", "Ref")
        #expect(second.words.contains("1 replaced") && !second.words.contains(told))
    }

    @Test(arguments: [[], ["--job", "state"]])
    func `changes without ids, and an expression that nothing matches, are told`(
        job: [String]
    ) throws {
        let terminal = try terminal(with: job)
        try terminal.write("lon,lat,ref\n1,2,a\n", to: "new.csv")
        let added = try terminal.covey("update", "a.mbtiles", "new.csv")
        #expect(added.words.contains("no change has an id, so all of these are new points; --key"))
        for (name, isTold) in [("nosuch", true), ("ref", false)] {
            let result = try terminal.covey(
                "update", "a.mbtiles", "--delete-where", #"["==",["get","\#(name)"],"a"]"#)
            let words = "--delete-where: no point matches it"
            #expect(result.exitCode == 0 && result.words.contains(words) == isTold)
        }
    }

    @Test func `a list of points that go may be UTF-16, and come through a pipe`() throws {
        let terminal = try terminal()
        let words = try terminal.shell(
            """
            printf 'a\\r\\nb\\r\\n' | iconv -t UTF-16 > gone.txt
            "$COVEY" update a.mbtiles --key ref --delete gone.txt
            echo c | "$COVEY" update a.mbtiles --key ref --delete - --delete-where false
            """
        ).words
        #expect(words.contains("2 removed") && words.contains("no point would be left"), "\(words)")
        let both = try terminal.shell(#"echo c | "$COVEY" update a.mbtiles - --delete -"#)
        #expect(both.exitCode == 2 && both.words.contains("both read standard input"))
    }

    @Test func `changes that are left out are told with their reason, in words and in JSON`() throws
    {
        let terminal = try terminal()
        try terminal.write("lon,lat,ref,price\nx,1,d,5\n1,1,e,5\n", to: "new.csv")
        #expect(
            try update(terminal, "new.csv", "--skip-invalid").contains(
                "1 added, 0 replaced, 0 removed\nread 2 rows: 1 with unusable coordinates; the first: new.csv:2"
            ))
        let result = try terminal.covey(
            "update", "a.mbtiles", "new.csv", "--key", "ref", "--skip-invalid", "--json", "-q")
        let told = try JSONNode(JSONValue(parsing: result.output)).required("update")
        #expect(try told.required("rejected").value == ["bad_coordinates": 1])
        #expect(try told.required("records").integer == 2)
    }

    @Test
    func
        `the attribute that became the points' ids names them still, and texts as ids are not passed over`()
        throws
    {
        let terminal = try Terminal()
        try terminal.write("lon,lat,no\n1,2,7\n3,4,8\n", to: "p.csv")
        _ = try terminal.covey(
            "build", "p.csv", "-o", "a.mbtiles", "-q", "--id", "no", "--keep-points")
        try terminal.write("lon,lat,no\n5,6,8\n", to: "new.csv")
        let result = try terminal.covey("update", "a.mbtiles", "new.csv", "--key", "no")
        #expect(result.words.contains("0 added, 1 replaced"), "\(result.words)")
        func feature(_ id: String, _ x: Int) -> String {
            #"{"type":"Feature","id":\#(id),"properties":{},"geometry":{"type":"Point","coordinates":[\#(x),2]}}"#
        }
        try terminal.write(feature(#""s1""#, 1) + "\n" + feature(#""s2""#, 2), to: "s.geojson")
        _ = try terminal.covey("build", "s.geojson", "-o", "b.mbtiles", "-q", "--keep-points")
        let refused = try terminal.covey("update", "b.mbtiles", "s.geojson")
        #expect(
            refused.exitCode == 1 && refused.words.contains("by that attribute: --key id"))
        let told = try terminal.covey("update", "b.mbtiles", "s.geojson", "--key", "id")
        #expect(told.words.contains("0 added, 2 replaced"), "\(told.words)")
    }

    @Test func `a change is about one point, and letters that look alike are told apart`() throws {
        let terminal = try terminal()
        try terminal.write(
            #"{"type":"Feature","properties":{"ref":"a"},"geometry":{"type":"MultiPoint","coordinates":[[9,9],[30,30]]}}"#,
            to: "many.geojson")
        let refused = try terminal.covey("update", "a.mbtiles", "many.geojson", "--key", "ref")
        #expect(
            refused.exitCode == 1 && refused.words.contains("a change applies to one point"),
            "\(refused.words)")
        try terminal.write("lon,lat,ref\n1,2,caf\u{E9}\n3,4,cafe\u{301}\n", to: "new.csv")
        #expect(try update(terminal, "new.csv").contains("2 added"))
        try terminal.write("cafe\u{301}\n", to: "gone.txt")
        #expect(try update(terminal, "--delete", "gone.txt").contains("1 removed"))
        #expect(try terminal.covey("verify", "--deep", "a.mbtiles").exitCode == 0)
    }

    @Test func `no list or report is written over the points that are kept`() throws {
        let terminal = try terminal()
        let kept = try #require(try terminal.names.first { $0.hasPrefix("a.mbtiles.points-") })
        for option in ["--changes", "--report"] {
            let result = try terminal.covey(
                "update", "a.mbtiles", "points.csv", "--key", "ref", option, kept)
            #expect(result.exitCode != 0 && result.words.contains(kept), "\(result.words)")
        }
        _ = try update(terminal, "points.csv")
    }

    /// Runs that begin at once: some are refused, and the archive has its points then.
    @Test func `builds and updates at the same time leave an archive with its points`() throws {
        let terminal = try terminal()
        try terminal.write("lon,lat,ref,price\n1,2,z,4\n", to: "new.csv")
        for _ in 0..<4 {
            let runs = try [
                ["build", "points.csv", "-o", "./a.mbtiles", "-f", "-q", "--keep-points"],
                ["update", "a.mbtiles", "new.csv", "--key", "ref", "-q"],
                ["build", "new.csv", "-o", "a.mbtiles", "-f", "-q", "--keep-points"],
                [
                    "update", "a.mbtiles", "new.csv", "--key", "ref", "-q", "-f", "-o",
                    terminal.folder.appending(path: "a.mbtiles").path,
                ],
            ].map { try terminal.start(with: $0, input: Pipe(), words: .nullDevice) }
            for run in runs { run.waitUntilExit() }
            let names = try terminal.names
            #expect(names.count { $0.hasPrefix("a.mbtiles.points-") } == 1, "\(names)")
            _ = try update(terminal, "new.csv")
        }
    }

    @Test func `files beside the points are to be named again, as an archive tells no place`()
        throws
    {
        let terminal = try Terminal()
        _ = try terminal.shell("mkdir data")
        try terminal.write("code,region\na,north\nb,south\nc,east\nd,west\n", to: "data/codes.csv")
        // Another file of this name lies where people work.
        try terminal.write("code,region\nd,wrong\n", to: "codes.csv")
        try terminal.write(Self.points, to: "points.csv")
        let built = try terminal.covey(
            "build", "points.csv", "-o", "a.mbtiles", "-q", "--max-zoom", "4", "--keep-points",
            "--join", "data/codes.csv:code=ref")
        #expect(built.exitCode == 0, "\(built.words)")
        try terminal.write(Self.points + "1,2,d,4\n", to: "points.csv")
        try terminal.write("lon,lat,ref,price\n1,2,d,4\n", to: "new.csv")
        let refused = try terminal.covey("update", "a.mbtiles", "new.csv", "--key", "ref")
        #expect(
            refused.exitCode == 2 && refused.words.contains("as --join codes.csv:code=ref"),
            "\(refused.words)")
        _ = try update(terminal, "new.csv", "--join", "data/codes.csv:code=ref")
        let whole = try terminal.covey(
            "build", "points.csv", "-o", "b.mbtiles", "-q", "--max-zoom", "4", "--keep-points",
            "--join", "data/codes.csv:code=ref")
        #expect(whole.exitCode == 0, "\(whole.words)")
        #expect(try terminal.bytes("a.mbtiles") == terminal.bytes("b.mbtiles"))
        // Deletions ask for none.
        try terminal.write("d\n", to: "gone.txt")
        #expect(try update(terminal, "--delete", "gone.txt").contains("1 removed"))
    }
}
