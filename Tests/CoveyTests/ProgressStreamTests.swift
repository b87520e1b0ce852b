import JSON
import Testing

@testable import covey

/// `--progress json`: what a program reads on standard error.
struct ProgressStreamTests {
    private static func lines(_ words: String) throws -> [JSONObject] {
        try words.split(separator: "\n").map { try FigureTests.object(String($0)) }
    }

    private static let options = [
        "points.csv", "-o", "a.mbtiles", "--max-zoom", "4", "--skip-invalid", "--progress", "json",
    ]

    @Test func `each stage ends with all that it does, and the last line says that all is done`()
        throws
    {
        let terminal = try FigureTests.terminal()
        let built = try terminal.covey(
            "build", with: Self.options + ["--json", "--keep-points", "--id", "size"])
        #expect(built.exitCode == 0, "\(built.words)")
        let report = try FigureTests.object(built.output)
        let lines = try Self.lines(built.words)
        let stages = lines.compactMap { $0["stage"]?.asString }
        #expect(stages.first == "read" && stages.contains("tiles") && stages.last == "done")
        #expect(stages.count { $0 == "done" } == 1 && lines.last?["stage"] == "done")
        #expect(lines.last?["seconds"]?.asNumber ?? -1 >= 0)
        let tiles = lines.last { $0["stage"] == "tiles" }?["done"]
        #expect(tiles == report["tiles"])
        for stage in ["read", "cluster", "leaves", "finish"] {
            let last = try #require(lines.last { $0["stage"] == .string(stage) })
            #expect(last["done"] == last["total"] && last["done"]?.asNumber ?? 0 > 0, "\(stage)")
        }
        let notes = lines.compactMap { $0["note"]?.asString }
        #expect(notes.contains { $0.hasPrefix("5 left out, with unusable") }, "\(notes)")
    }

    @Test func `an update and steps over a folder tell programs nothing else`() throws {
        let terminal = try FigureTests.terminal()
        let words = Self.options + ["--keep-points", "-q"]
        #expect(try terminal.covey("build", with: words).words.isEmpty)
        try terminal.write("lon,lat,size,kind\n1,2,3,1\n", to: "new.csv")
        let updated = try terminal.covey("update", "a.mbtiles", "new.csv", "--progress", "json")
        let lines = try Self.lines(updated.words)
        #expect(lines.last?["stage"] == "done" && updated.exitCode == 0)
        #expect(lines.contains { $0["note"]?.asString?.hasPrefix("no change has an id") ?? false })
        let step = try terminal.covey(
            "cells", "plan", "points.csv", "--skip-invalid", "--job", "job", "--cell-zoom", "1",
            "--max-zoom", "3", "--progress", "json")
        #expect(try Self.lines(step.words).last?["stage"] == "done")
    }

    @Test func `a build that fails is never done`() throws {
        let terminal = try FigureTests.terminal()
        let failed = try terminal.covey(
            "build", "points.csv", "-o", "a.mbtiles", "--progress", "json")
        #expect(failed.exitCode == 1 && failed.words.contains("\ncovey: "))
        #expect(!failed.words.contains(#""stage":"done""#))
    }
}
