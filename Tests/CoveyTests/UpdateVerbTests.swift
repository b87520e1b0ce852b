import Foundation
import JSON
import Testing

/// `covey update`, `covey build --watch` and points that are served, run as a person runs them.
struct UpdateVerbTests {
    private static let points = """
        lon,lat,ref,price
        10,0,a,1
        10.2,0,b,2
        -170,60,c,3

        """

    private func terminal() throws -> Terminal {
        let terminal = try Terminal()
        try terminal.write(Self.points, to: "points.csv")
        let built = try terminal.covey(
            "build", "points.csv", "-o", "a.mbtiles", "-q", "--max-zoom", "4", "--keep-points")
        #expect(built.exitCode == 0, "\(built.words)")
        return terminal
    }

    @Test func `an update tells what it did, and lists the tiles that differ as diff does`() throws
    {
        let terminal = try terminal()
        _ = try terminal.shell("cp a.mbtiles old.mbtiles")
        try terminal.write("lon,lat,ref,price\n10.3,0,b,5\n11,1,d,6\n", to: "new.csv")
        try terminal.write("c\nz\n", to: "gone.txt")
        let result = try terminal.covey(
            "update", "a.mbtiles", "new.csv", "--key", "ref", "--delete", "gone.txt", "--changes",
            "tiles.tsv", "--json")
        #expect(result.exitCode == 0, "\(result.words)")
        let told = try JSONNode(JSONValue(parsing: result.output)).required("update")
        let counts = try ["added", "replaced", "removed", "unknown", "records"]
            .map { try told.required($0).integer }
        #expect(counts == [1, 1, 1, 1, 2])
        #expect(
            result.words.contains(
                "1 added, 1 replaced, 1 removed, 1 deletion of points that are not there"))
        let listed = try terminal.covey("diff", "old.mbtiles", "a.mbtiles", "--tiles")
        #expect(try terminal.read("tiles.tsv") == listed.output && !listed.output.isEmpty)
        #expect(try terminal.covey("verify", "--deep", "a.mbtiles").exitCode == 0)
    }

    @Test func `what a build left out an update leaves out too`() throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat,id,price,secret\n1,2,1,5,x\n", to: "points.csv")
        try terminal.write("lon,lat,id,price,secret,note\n3,4,2,6,y,z\n", to: "new.csv")
        let built = try terminal.covey(
            "build", "points.csv", "-o", "a.mbtiles", "-q", "--id", "id", "--exclude", "secret",
            "--keep-points", "--max-zoom", "4")
        #expect(built.exitCode == 0, "\(built.words)")
        let refused = try terminal.covey(
            "update", "a.mbtiles", "new.csv", "--reserved-names", "rename")
        #expect(refused.exitCode == 2 && refused.words.contains("applies to all points"))
        let updated = try terminal.covey(
            "update", "a.mbtiles", "new.csv", "--exclude", "note", "-q")
        #expect(updated.exitCode == 0, "\(updated.words)")
        let found = try terminal.covey(
            "clusters", "a.mbtiles", "--containing", "3,4", "--zoom", "4", "--geojson")
        #expect(found.output.contains("price"))
        #expect(!found.output.contains("secret") && !found.output.contains("note"))
    }

    /// Two spellings of one name: é as one letter, and as e with an accent.
    @Test func `an update may spell an attribute in another form of Unicode`() throws {
        let terminal = try Terminal()
        let (one, other) = ("id,lon,lat,caf\u{E9}\n1,2,3,a\n", "id,lon,lat,cafe\u{301}\n4,5,6,b\n")
        try terminal.write(one, to: "points.csv")
        try terminal.write(other, to: "new.csv")
        for folder in ["first", "last"] {
            let pair = folder == "first" ? ["points.csv", "new.csv"] : ["new.csv", "points.csv"]
            let built = try terminal.shell(
                """
                mkdir \(folder); cp \(pair[0]) \(folder)/points.csv; cp \(pair[1]) \(folder)/new.csv; cd \(folder)
                "$COVEY" build points.csv -o a.pmtiles -q --id id --keep-points --max-zoom 3 &&
                "$COVEY" update a.pmtiles new.csv -q && tail -n1 new.csv >> points.csv &&
                "$COVEY" build points.csv -o b.pmtiles -q --id id --keep-points --max-zoom 3 && cd .. &&
                "$COVEY" diff \(folder)/a.pmtiles \(folder)/b.pmtiles --tiles
                """)
            #expect(built.exitCode == 0 && built.output == "", "\(built.words)")
        }
        #expect(try terminal.covey("diff", "first/b.pmtiles", "last/b.pmtiles").exitCode == 0)
    }

    @Test func `changes may be piped in, and columns be called otherwise`() throws {
        let terminal = try terminal()
        let result = try terminal.shell(
            #"printf 'where_x,where_y,ref,price\n1,2,a,9\n' | "$COVEY" update a.mbtiles - --key ref --x where_x --y where_y -q"#
        )
        #expect(result.exitCode == 0 && result.words == "", "\(result.words)")
        let found = try terminal.covey(
            "clusters", "a.mbtiles", "--containing", "1,2", "--zoom", "4", "--geojson")
        #expect(found.output.contains("\"ref\":\"a\"") || found.output.contains("\"ref\": \"a\""))
    }

    @Test func `an archive that was given a name of any kind is updated under it`() throws {
        let terminal = try terminal()
        _ = try terminal.shell(
            "mv a.mbtiles a.db; for each in a.mbtiles.points-*; do mv $each a.db.points-${each##*-}; done"
        )
        let result = try terminal.covey("update", "a.db", "points.csv", "--key", "ref", "-q")
        #expect(result.exitCode == 0, "\(result.words)")
        let odd = try terminal.covey("update", "a.db", "points.csv", "--key", "ref", "--gzip")
        #expect(odd.exitCode == 2)
    }

    @Test func `an update goes to another place, and the archive stays as it was`() throws {
        let terminal = try terminal()
        let before = try terminal.bytes("a.mbtiles")
        let result = try terminal.covey(
            "update", "a.mbtiles", "--key", "ref", "--delete-where", #"[">", ["get", "price"], 2]"#,
            with: ["-o", "b.pmtiles", "-q"])
        #expect(result.exitCode == 0, "\(result.words)")
        #expect(try terminal.bytes("a.mbtiles") == before)
        let names = try terminal.names
        #expect(names.contains { $0.hasPrefix("b.pmtiles.points-") })
        // A file of points belongs to its own archive: what is made of that has none.
        #expect(try terminal.covey("convert", "a.mbtiles", "c.mbtiles", "-q").exitCode == 0)
        let refused = try terminal.covey("update", "c.mbtiles", "points.csv")
        #expect(
            refused.exitCode == 1 && refused.words.contains("build it again with --keep-points"))
    }

    @Test func `lines that cannot be meant are refused with what to write`() throws {
        let terminal = try terminal()
        for (words, said) in [
            (["a.mbtiles"], "CHANGES is missing"),
            (["a.mbtiles", "points.csv", "--changes", "a.mbtiles"], "would replace the archive"),
            (["a.mbtiles", "points.csv", "--report", "points.csv"], "itself an input"),
            (["a.mbtiles", "points.csv", "-l", "x"], "there is no layer x"),
            (["a.mbtiles", "--delete-where", "[\"foo\"]"], "unknown operator"),
            (["points.csv", "points.csv"], "points.csv"),
        ] {
            let result = try terminal.covey("update", with: words)
            #expect(
                result.exitCode != 0 && result.words.contains(said), "\(words): \(result.words)")
        }
        let watch = try terminal.covey("build", "-", "-o", "x.mbtiles", "--watch")
        #expect(watch.exitCode == 2 && watch.words.contains("--watch is for files"))
    }

    /// Does something while a program runs, until something is true.
    private func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<300 {
            if try condition() { return true }
            usleep(100_000)
        }
        return false
    }

    /// A build that watches a file of three points; what it says goes to a file.
    private func watching() throws -> (Terminal, Process) {
        let terminal = try Terminal()
        try terminal.write(Self.points, to: "points.csv")
        try Data().write(to: terminal.folder.appending(path: "said"))
        let said = try FileHandle(forWritingTo: terminal.folder.appending(path: "said"))
        let process = try terminal.start(
            "build", "points.csv", "-o", "a.mbtiles", "--watch", input: Pipe(), words: said)
        return (terminal, process)
    }

    @Test func `a build that watches builds again, and goes on after what is broken`() throws {
        let (terminal, process) = try watching()
        defer { process.terminate() }
        func isSaid(_ words: String) -> Bool {
            eventually { ((try? terminal.read("said")) ?? "").contains(words) }
        }
        #expect(isSaid("3 points kept") && isSaid("watching its inputs"))
        try terminal.write(Self.points + "1,1,d,4\n", to: "points.csv")
        #expect(isSaid("4 points kept"))
        try terminal.write(Self.points + "broken,1,d,4\n", to: "points.csv")
        #expect(isSaid("a.mbtiles: stays as it was: points.csv:5"))
        try terminal.write(Self.points + "1,1,d,4\n2,2,e,5\n", to: "points.csv")
        #expect(isSaid("5 points kept"))
        kill(process.processIdentifier, SIGINT)
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
        #expect(try terminal.covey("verify", "a.mbtiles").exitCode == 0)
        #expect(try terminal.names.filter { $0.contains("covey-") } == [])
    }

    @Test func `a file that is written to without a pause is built all the same`() throws {
        let (terminal, process) = try watching()
        defer { process.terminate() }
        let feed = try FileHandle(
            forWritingTo: terminal.folder.appending(path: "points.csv"))
        try feed.seekToEnd()
        let isBuilt = eventually {
            try? feed.write(contentsOf: Data("1,1,d,4\n".utf8))
            let words = (try? terminal.read("said")) ?? ""
            return words.split(separator: "points kept").count > 2
        }
        #expect(isBuilt)
    }

    @Test func `an empty file holds no changes`() throws {
        let terminal = try terminal()
        // What gzip makes of nothing.
        let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        for (name, bytes, removed) in [
            ("e.jsonl", [], 1), ("e.csv", [], 0), ("e.csv.gz", gzip, 0),
        ] {
            try Data(bytes).write(to: terminal.folder.appending(path: name))
            let update = try terminal.covey(
                "update", "a.mbtiles", name, "--key", "ref", "--delete-where",
                #"["==",["get","ref"],"a"]"#)
            #expect(update.exitCode == 0, "\(update.words)")
            #expect(update.words.contains("\(name): holds no data"))
            #expect(update.words.contains("\(removed) removed"))
        }
        let build = try terminal.covey("build", "e.csv", "-o", "b.mbtiles")
        #expect(build.exitCode == 1 && build.words.contains("e.csv: holds no data"))
    }

    @Test func `points are served as they are now`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.points, to: "points.csv")
        try Data().write(to: terminal.folder.appending(path: "said"))
        let said = try FileHandle(forWritingTo: terminal.folder.appending(path: "said"))
        let port = try SilentServer.freePort()
        let process = try terminal.start(
            "serve", "inns=points.csv", "--port", "\(port)", input: Pipe(), words: said)
        defer { process.terminate() }
        func points() -> String {
            ((try? terminal.shell("curl -s http://127.0.0.1:\(port)/catalog"))?.output) ?? ""
        }
        #expect(eventually { points().contains("\"points\":3") })
        #expect(points().contains("\"id\":\"inns\""))
        #expect(try terminal.read("said").contains("points.csv: 3 points in "))
        try terminal.write(Self.points + "1,1,d,4\n", to: "points.csv")
        #expect(eventually { points().contains("\"points\":4") })
        // What is broken is told of, and the points stay as they were.
        try terminal.write("lon,lat\nx,y\n", to: "points.csv")
        let start = "covey: points.csv: still served as it was: points.csv:2: "
        #expect(eventually { ((try? terminal.read("said")) ?? "").contains(start) })
        #expect(points().contains("\"points\":4"))
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
