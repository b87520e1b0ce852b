import Foundation
import Testing

/// Where `covey update` looks for points, and what it does of several wishes.
struct UpdatePlaceTests {
    private static let points = "lon,lat,ref,price\n10,0,a,1\n10.2,0,b,2\n-170,60,c,3\n"

    private func terminal() throws -> Terminal {
        let terminal = try Terminal()
        try terminal.write(Self.points, to: "points.csv")
        try terminal.write("lon,lat,ref,price\n10,1,a,7\n", to: "new.csv")
        return terminal
    }

    private func build(_ terminal: Terminal, _ archive: String, _ more: String...) throws {
        let built = try terminal.covey(
            "build", "points.csv", "-o", archive, "-fq", "--max-zoom", "4", "--keep-points",
            with: more)
        #expect(built.exitCode == 0, "\(built.words)")
    }

    /// Only root may give files away.
    @Test(.enabled(if: geteuid() == 0))
    func `an update keeps the group, of the archive and of the points beside it`() throws {
        let terminal = try terminal()
        try build(terminal, "a.mbtiles")
        let result = try terminal.shell(
            """
            chgrp 8765 a.mbtiles* && chmod 640 a.mbtiles*
            "$COVEY" update a.mbtiles new.csv --key ref -q && stat -c '%g %a' a.mbtiles*
            """)
        #expect(result.output == "8765 640\n8765 640\n", "\(result.output)\(result.words)")
    }

    @Test(arguments: [[], ["-q"]])
    func `changes that may double points are told, however quiet the update is`(
        quiet: [String]
    ) throws {
        let terminal = try terminal()
        try build(terminal, "a.mbtiles")
        let result = try terminal.covey("update", "a.mbtiles", "new.csv", with: quiet)
        #expect(result.exitCode == 0 && result.words.contains("no change has an id"))
        let known = try terminal.covey(
            "update", "a.mbtiles", "new.csv", "--key", "price", with: quiet)
        #expect(known.exitCode == 0 && known.words.isEmpty == !quiet.isEmpty, "\(known.words)")
    }

    @Test(arguments: [[], ["--job", "state"]])
    func `an expression for points to remove is about the points after the changes`(
        job: [String]
    ) throws {
        let terminal = try terminal()
        let built = try terminal.covey(
            "build", "points.csv", "-o", "a.mbtiles", "-q", "--max-zoom", "4", "--keep-points",
            with: job)
        #expect(built.exitCode == 0)
        // a was cheap and is dear, b is cheap now, d is new and cheap, and c goes.
        // Of several changes of one point the last counts.
        try terminal.write(
            "lon,lat,ref,price\n10,0,a,1\n10,0,a,9\n10.2,0,b,1\n3,3,d,1\n", to: "some.csv")
        try terminal.write("b\nc\n", to: "gone.txt")
        let result = try terminal.covey(
            "update", "a.mbtiles", "some.csv", "--key", "ref", "--delete", "gone.txt",
            "--delete-where", #"["<",["get","price"],2]"#)
        #expect(result.words.contains("0 added, 1 replaced, 2 removed"), "\(result.words)")
        #expect(
            result.words.contains("--delete-where: it is true of 2 of the changes"),
            "\(result.words)")
        let left = try terminal.covey("inspect", "a.mbtiles", "--nodes", "--zoom", "4")
        #expect(left.output.split(separator: "\n").count == 1, "\(left.output)")
    }

    @Test(arguments: [("a.mbtiles", ""), ("a", "/")])
    func `points are beside the archive that a link leads to`(archive: String, end: String) throws {
        let terminal = try terminal()
        _ = try terminal.shell("mkdir v && ln -s v/\(archive) \(archive)")
        try build(terminal, "v/\(archive)\(end)")
        try build(terminal, archive + end)
        for path in [archive, "v/\(archive)"] {
            let result = try terminal.covey("update", path, "new.csv", "--key", "ref", "-q")
            #expect(result.exitCode == 0, "\(result.words)")
            #expect(try terminal.names.filter { $0.hasPrefix("\(archive).") }.isEmpty)
            let beside = try FileManager.default.contentsOfDirectory(
                atPath: terminal.folder.appending(path: "v").path)
            #expect(beside.count == 2, "\(beside)")
        }
    }

    @Test func `a copy does not take the job of an archive that is still there`() throws {
        let terminal = try terminal()
        try build(terminal, "a.mbtiles", "--job", "state")
        _ = try terminal.shell("mkdir copy && cp -a a.mbtiles a.mbtiles.points-* state copy/")
        let refused = try terminal.covey("update", "copy/a.mbtiles", "new.csv", "--key", "ref")
        #expect(
            refused.exitCode == 1 && refused.words.contains("/a.mbtiles, which could not be"),
            "\(refused.words)")
        let own = try terminal.covey(
            "update", "copy/a.mbtiles", "new.csv", "--key", "ref", "-q", "--job", "copy/state")
        #expect(own.exitCode == 0, "\(own.words)")
        let original = try terminal.covey("update", "a.mbtiles", "new.csv", "--key", "ref", "-q")
        #expect(original.exitCode == 0, "\(original.words)")
        // One that has moved goes on.
        _ = try terminal.shell("mkdir new && mv a.mbtiles a.mbtiles.points-* new/")
        let moved = try terminal.covey("update", "new/a.mbtiles", "new.csv", "--key", "ref", "-q")
        #expect(moved.exitCode == 0, "\(moved.words)")
        #expect(
            try terminal.bytes("new/a.mbtiles").isEmpty == false
                && terminal.covey("verify", "--deep", "new/a.mbtiles").exitCode == 0)
    }

    @Test func `a report that cannot be written is refused before anything is done`() throws {
        let terminal = try terminal()
        try build(terminal, "a.mbtiles")
        let before = try terminal.bytes("a.mbtiles")
        let words = ["a.mbtiles", "new.csv", "--key", "ref"]
        let refused = try terminal.covey("update", with: words + ["--report", "none/r.json"])
        #expect(refused.exitCode == 1 && refused.words.contains("make its folder first"))
        #expect(try terminal.bytes("a.mbtiles") == before)
        _ = try terminal.shell("mkdir r.json")
        let late = try terminal.covey("update", with: words + ["-q", "--report", "r.json"])
        #expect(late.exitCode == 1 && late.words.contains("all but this report is done"))
        #expect(try terminal.bytes("a.mbtiles") != before)
    }

    @Test func `an expression that is none is named by its option`() throws {
        let terminal = try terminal()
        try build(terminal, "a.mbtiles")
        for (text, words) in [
            (#"["foo""#, "this should be JSON"),
            (#"["foo"]"#, "covey: --delete-where: unknown operator"),
        ] {
            let result = try terminal.covey("update", "a.mbtiles", "--delete-where", text)
            #expect(result.exitCode == 2 && result.words.contains(words), "\(result.words)")
        }
    }
}
