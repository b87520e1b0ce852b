import Foundation
import Testing

/// What scripts learn from how the program ends.
struct ExitCodeTests {
    private func terminal() throws -> Terminal {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\n1,2.1\n", to: "points.csv")
        for (name, words) in [("a", ["--name", "a"]), ("b", ["--name", "b"])] {
            let built = try terminal.covey(
                "build", "points.csv", "-o", "\(name).mbtiles", "-q", "--max-zoom", "3",
                with: words)
            try #require(built.exitCode == 0, "\(built.words)")
        }
        return terminal
    }

    @Test func `diff tells archives that differ from those that it cannot compare`() throws {
        let terminal = try terminal()
        #expect(try terminal.covey("diff", "a.mbtiles", "a.mbtiles").exitCode == 0)
        let other = try terminal.covey("diff", "a.mbtiles", "b.mbtiles", "--tiles")
        #expect(other.exitCode == 1 && other.output.isEmpty)
        for wrong in [["none.mbtiles"], ["points.csv"], [], ["b.mbtiles", "--titles"]] {
            #expect(try terminal.covey("diff", "a.mbtiles", with: wrong).exitCode == 2, "\(wrong)")
        }
        #if os(Linux)
            for other in ["a", "b"] {
                let full = try terminal.shell(
                    "\"$COVEY\" diff a.mbtiles \(other).mbtiles > /dev/full")
                #expect(full.exitCode == 2, "\(full.words)")
            }
        #endif
    }

    @Test func `verify tells archives with errors from those that it cannot check`() throws {
        let terminal = try terminal()
        #expect(try terminal.covey("verify", "a.mbtiles").exitCode == 0)
        let whole = try terminal.bytes("a.mbtiles")
        try whole.prefix(whole.count / 2).write(to: terminal.folder.appending(path: "cut.mbtiles"))
        try terminal.write("", to: "empty.mbtiles")
        for wrong in ["none.mbtiles", "cut.mbtiles", "empty.mbtiles"] {
            let result = try terminal.covey("verify", wrong)
            #expect(result.exitCode == 2, "\(wrong): \(result.output)\(result.words)")
        }
        _ = try terminal.covey("convert", "a.mbtiles", "a/")
        try terminal.write("garbage", to: "a/0/0/0.pbf")
        for words in [[], ["--json"], ["-q"]] {
            let result = try terminal.covey("verify", "a/", with: words)
            #expect(result.exitCode == 1 && result.words.contains("not as it should be"))
        }
    }

    @Test func `a signal ends a run as a shell reports it, unless it was ignored from the start`()
        throws
    {
        let terminal = try Terminal()
        // Shells have their background ignore SIGINT.
        let result = try terminal.shell(
            """
            mkfifo pipe.csv
            for signal in TERM HUP; do
                "$COVEY" build - -o a.mbtiles -q < pipe.csv & build=$!
                exec 9> pipe.csv; printf 'lon,lat\\n' >&9; sleep 0.5
                kill -$signal $build; wait $build; echo $?; exec 9>&-
            done
            for signal in INT TERM; do
                (trap '' $signal; exec "$COVEY" build - -o $signal.mbtiles -q --max-zoom 3 < pipe.csv) & build=$!
                exec 9> pipe.csv; printf 'lon,lat\\n' >&9; sleep 0.5
                kill -$signal $build; sleep 0.2; printf '1,2\\n' >&9; exec 9>&-
                wait $build; echo $?
            done
            """)
        #expect(result.output == "143\n129\n0\n0\n", "\(result.words)")
    }
}
