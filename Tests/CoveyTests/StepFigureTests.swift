import Arguments
import Foundation
import JSON
import Testing

@testable import covey

/// Tiles, differences and steps over a folder, as people and machines are told of them.
struct StepFigureTests {
    @Test func `a tile and differences are told in the same numbers`() throws {
        let terminal = try FigureTests.terminal()
        _ = try terminal.covey("build", with: FigureTests.options + ["-o", "a.mbtiles", "-q"])
        _ = try terminal.covey(
            "build", with: FigureTests.options + ["-o", "b/", "-q", "--cluster-radius", "70"])
        let text = try terminal.covey("inspect", "a.mbtiles", "0/0/0", "--first", "3").output
        let json = try FigureTests.object(
            try terminal.covey("inspect", "a.mbtiles", "0/0/0", "--json").output)
        let heading = try FigureTests.words(text, after: "tile 0/0/0: ").compactMap { Int($0) }
        #expect(
            try heading == [
                FigureTests.integer(json, "bytes"), FigureTests.integer(json, "inflated_bytes"),
            ])
        let features = try FigureTests.integer(json["layers"]?.asArray?.first?.asObject, "features")
        #expect(text.contains("first 3 of \(features) features in points:\n"))
        #expect(
            text.split(separator: "\n").count {
                $0.contains("cluster_id=") || $0.contains("  Point  ")
            } == 3)
        let raw = try terminal.covey("inspect", "a.mbtiles", "0/0/0", "--geojson").output
        #expect(try FigureTests.object(raw)["features"]?.asArray?.count == features)

        let differences = try terminal.covey("diff", "a.mbtiles", "b/")
        #expect(differences.exitCode == 1)
        let told = try FigureTests.object(
            try terminal.covey("diff", "a.mbtiles", "b/", "--json").output)
        for zoom in try #require(told["zooms"]?.asArray).compactMap(\.asObject) {
            let numbers = zoom.members.compactMap { $0.value.asNumber }.map { Int($0) }
            let words = try FigureTests.words(differences.output, after: "\(numbers[0]) ")
                .compactMap {
                    Int($0)
                }
            #expect(Array(numbers.dropFirst().prefix(7)) == words, "\(zoom.members.map(\.key))")
        }
    }

    @Test func `steps over a folder say how far they are`() throws {
        let terminal = try FigureTests.terminal()
        let planned = try terminal.covey(
            "cells", with: ["plan"] + FigureTests.options + ["--job", "job", "--cell-zoom", "1"])
        #expect(
            planned.exitCode == 0
                && planned.output.hasSuffix("next: covey cells cluster --job job\n"))
        var clustered = 0
        for (step, next, isTopDone, tiled) in [
            (["cluster", "--task", "1/2"], "cluster", false, 0),
            (["cluster", "--task", "2/2"], "top", false, 0),
            (["top"], "tiles", true, 0), (["tiles"], "index", true, 4),
            (["index"], "merge", true, 4),
        ] {
            let result = try terminal.covey(
                "cells", with: step + ["--job", "job", "--progress", "none"])
            let status = try FigureTests.object(
                try terminal.covey("cells", "status", "--job", "job", "--json").output)
            #expect(
                status["points"] == 395 && status["cells"] == 4 && status["top"] == .bool(isTopDone)
            )
            #expect(status["next"] == .string(next) && status["tiled"] == .integer(Int64(tiled)))
            let done = try FigureTests.integer(status, "clustered")
            #expect(done > clustered || step[0] != "cluster")
            clustered = done
            #expect(
                result.output.hasPrefix(
                    "job: 395 points in 4 cells, cut at zoom \(try FigureTests.integer(status, "cut_zoom"))\n"
                ))
            #expect(result.output.contains("\n  cluster  \(done) of 4; "))
            #expect(
                result.output.contains(
                    "\n  top      \(isTopDone ? "done" : "not done")\n  tiles    \(tiled) of 4\n"))
            #expect(result.output.hasSuffix("next: covey cells \(next) --job job\n"))
            let left = status["left"]?.asArray ?? []
            let units = ["cluster": 4 - done, "tiles": 4 - tiled, "index": 1]
            #expect(left.count == units[next] ?? 0)
            try Self.expectIndex(before: next, terminal)
        }
        #expect(clustered == 4)
        try Self.expectArchive(terminal)
    }

    private static func expectArchive(_ terminal: Terminal) throws {
        let merged = try terminal.covey("cells", "merge", "--job", "job", "-o", "a.mbtiles", "-q")
        #expect(merged.exitCode == 0 && merged.output.isEmpty && merged.words.isEmpty)
        _ = try terminal.covey("build", with: FigureTests.options + ["-o", "b.mbtiles", "-q"])
        #expect(try terminal.covey("diff", "a.mbtiles", "b.mbtiles").output == "no difference\n")
    }

    @Test func `bytes of an archive go to a new file, whole or not at all`() throws {
        let terminal = try FigureTests.terminal()
        // What the line says wrong comes before what the folder has.
        for (words, problem) in [
            ([], "-o OUT is missing"), (["-o", "a.mbtiles", "--task", "1/2"], "several tasks"),
            (["--lay-out", "--task", "1/2"], "do not go together"),
        ] {
            let refused = try terminal.covey("cells", with: ["merge", "--job", "none"] + words)
            #expect(refused.exitCode == 2 && refused.words.contains(problem), "\(refused.words)")
        }
        let job = ["--job", "job", "--progress", "none"]
        let planned = FigureTests.options + ["--job", "job", "--cell-zoom", "1"]
        _ = try terminal.covey("cells", with: ["plan"] + planned)
        for step in ["cluster", "top", "tiles", "index"] {
            _ = try terminal.covey("cells", with: [step] + job)
        }
        _ = try terminal.covey("cells", with: ["merge", "-o", "a.pmtiles"] + job)
        let files = ["a.pmtiles", "a.clusters.pmtiles"]
        let all = try files.map { try terminal.bytes($0) }.reduce(Data(), +)
        let laid = try terminal.covey("cells", with: ["merge", "--lay-out"] + job)
        let sizes = try FigureTests.object(laid.output)["file_sizes"]?.asArray ?? []
        #expect(try sizes == files.map { .integer(Int64(try terminal.bytes($0).count)) })
        let merge = ["merge", "--bytes", "100-\(all.count)", "-o"]
        #expect(try terminal.covey("cells", with: merge + ["part"] + job).exitCode == 0)
        #expect(try terminal.bytes("part") == all[100...])
        for (path, problem) in [("part", "part: can't be written"), ("no/part", "make its folder")]
        {
            let refused = try terminal.covey("cells", with: merge + [path] + job)
            #expect(refused.exitCode == 1 && refused.words.contains(problem), "\(refused.words)")
        }
        let words = (["cells"] + merge + ["cut"] + job).joined(separator: " ")
        let cut = try terminal.shell("ulimit -f 1; exec \"$COVEY\" \(words)")
        #expect(cut.exitCode == 1 && (try? terminal.bytes("cut")) == nil, "\(cut.words)")
    }

    private static func expectIndex(before next: String, _ terminal: Terminal) throws {
        let index = next == "merge" ? "1 of 1" : next == "index" ? "0 of 1" : "not begun"
        // A program that asked what is left has had that found out.
        let status = try terminal.covey("cells", "status", "--job", "job").output
        #expect(status.contains("\n  index    \(index)\n"))
    }

    /// Each option and the steps that do something with it.
    private static let idle: [(words: [String], steps: Set<String>)] = [
        (["--task", "1/2"], ["cluster", "tiles", "index", "merge"]),
        (["--cells", "1-0-0"], ["cluster", "tiles", "index"]),
        (["--lay-out"], ["merge"]), (["--bytes", "0-1"], ["merge"]),
        (["--input-name", "a"], ["read"]), (["--into", "a"], ["read"]),
        (["--parts", "a"], ["plan", "whole"]), (["--cell-memory", "1G"], []),
        (["-o", "a.mbtiles"], ["merge", "whole"]), (["--report", "a"], ["merge", "whole"]),
        (["--force"], ["merge", "whole"]), (["--json"], ["merge", "whole", "status"]),
        (["--memory", "1G"], ["plan", "read", "whole"]), (["--cell-zoom", "1"], ["plan"]),
        (["--cell-margin", "1"], ["plan"]), (["--layer", "a"], ["plan", "read", "whole"]),
        (["-L", "a:b"], ["plan"]), (["--no-clusters"], ["plan", "read", "whole"]),
        (["--max-zoom", "3"], ["plan", "read", "whole"]),
        (["--name", "a"], ["plan", "read", "whole"]),
    ]

    @Test func `a step refuses what it has no use for, and nothing else`() throws {
        let steps = [
            "read", "plan", "whole", "cluster", "top", "tiles", "index", "merge", "status",
        ]
        let console = Console()
        for (words, wanted) in Self.idle {
            for step in steps {
                // No step gets far without its folder; what is said first is of the options.
                let line = [step, "/nowhere/a.json", "--job", "/nowhere/covey"] + words
                var message = ""
                do {
                    try CellsVerb.run(try CellsVerb.syntax.parse(line), console: console)
                } catch {
                    message = "\(error)"
                }
                let isRefused = message.contains("has no use for")
                #expect(isRefused == !wanted.contains(step), "\(step) \(words): \(message)")
            }
        }
        #expect(throws: UsageError.self) {
            try CellsVerb.run(
                try CellsVerb.syntax.parse(["read", "--ask", "--job", "a"]), console: console)
        }
    }

    @Test func `without a word the program shows what it can do, to people`() throws {
        let terminal = try Terminal()
        let bare = try terminal.covey()
        #expect(bare.exitCode == 2 && bare.output.isEmpty)
        #expect(bare.words.hasPrefix(HelpVerb.overview + "\ncovey: VERB is missing"))
        for word in ["--help", "-h"] {
            let help = try terminal.covey(word)
            #expect(help.exitCode == 0 && help.output == HelpVerb.overview + "\n")
        }
        #expect(try terminal.covey("-V").output == terminal.covey("--version").output)
    }

    @Test func `files that a step asks for are named below the folder of the job`() throws {
        let terminal = try FigureTests.terminal()
        _ = try terminal.covey(
            "cells", with: ["plan"] + FigureTests.options + ["--job", "job", "--cell-zoom", "1"])
        let line = "yes | $COVEY cells cluster --job job --ask --progress none -q"
        let asked = try terminal.shell(line).output.split(separator: "\n").flatMap { line in
            try FigureTests.object(String(line))["bring"]?.asArray ?? []
        }.compactMap { $0.asArray?.first?.asString }
        #expect(asked.first == "plan.json" && asked.count > 3, "\(asked)")
        for name in asked { #expect(try !terminal.bytes("job/\(name)").isEmpty, "\(name)") }
    }
}
