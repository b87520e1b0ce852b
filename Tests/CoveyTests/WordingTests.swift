import Foundation
import JSON
import Testing
import Tileset

@testable import covey

/// What the program says to people: numbers, progress, moments, help.
struct WordingTests {
    @Test(arguments: [
        (0, "0 B"), (7, "7 B"), (99, "99 B"), (100, "100 B"), (999, "999 B"), (1_000, "1.0 kB"),
        (1_250, "1.3 kB"), (99_940, "99.9 kB"), (99_960, "100 kB"), (999_499, "999 kB"),
        (999_500, "1.0 MB"), (12_345_678, "12.3 MB"), (5_000_000_000, "5.0 GB"),
        (7_000_000_000_000_000, "7000 TB"),
    ])
    func `sizes have three figures or so`(count: Int, text: String) {
        #expect(Quantity.text(count, "bytes") == text)
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567"), (100_000, "100,000"),
    ])
    func `counts have a comma between thousands`(count: Int, text: String) {
        #expect(Quantity.text(count, "tiles") == "\(text) tiles")
    }

    @Test func `a line of progress tells rate and rest once they can be told`() {
        func line(_ done: Int, of total: Int?, after seconds: Double) -> String {
            BuildProgress(stage: .tiles, unit: "tiles", done: done, total: total, subject: nil)
                .line(seconds: seconds)
        }
        #expect(line(10, of: nil, after: 0.5) == "tiles: 10 tiles")
        #expect(line(0, of: 12, after: 9) == "tiles, 12 tiles")
        #expect(
            line(0, of: nil, after: 9) == "tiles" && line(1, of: nil, after: 0) == "tiles: 1 tile")
        #expect(line(10, of: 0, after: 0.5) == "tiles: 10 tiles")
        #expect(
            line(100, of: 400, after: 10) == "tiles: 100 of 400 tiles, 10 tiles/s, 31 s left")
        #expect(line(400, of: 400, after: 10) == "tiles: 400 of 400 tiles, 40 tiles/s")
        #expect(line(3, of: nil, after: 1) == "tiles: 3 tiles, 3 tiles/s")
        let stage = BuildProgress(stage: .plan, unit: "", done: 0, total: nil, subject: "a")
        #expect(stage.line(seconds: 3) == "plan a")
        // What is not counted has no number, whatever is done of it.
        let uncounted = BuildProgress(stage: .plan, unit: "", done: 7, total: 9, subject: nil)
        #expect(uncounted.line(seconds: 3) == "plan")
    }

    @Test func `a moment is written as RFC 3339 has it`() {
        let now = Clock.now
        #expect(now.wholeMatch(of: /20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\dZ/) != nil)
        let parsed = ISO8601DateFormatter().date(from: now)
        #expect(abs(parsed?.timeIntervalSinceNow ?? .infinity) < 60)
    }

    @Test func `plain progress is a line for each stage, with what it counts`() throws {
        let terminal = try BuildVerbTests.terminal()
        let result = try terminal.covey(
            "build", "points.csv", "-o", "x.mbtiles", "--max-zoom", "1", "--progress", "plain")
        let lines = result.words.split(separator: "\n").prefix(7).map(String.init)
        #expect(
            lines == [
                "read points.csv: 59 B of 59 B", "plan", "cluster points, 1 zoom",
                "layout", "tiles z0: 1 tile", "leaves: 3 of 3 points",
                "finish: 2 of 2 tiles",
            ])
    }

    @Test(arguments: [
        ["build", "--help"], ["build", "a.csv", "-h"], ["build", "--max-zoom", "--help"],
        ["build", "--max-zoom", "x", "--nonsense", "--help", "--", "y"],
    ])
    func `help wins wherever it is asked for`(words: [String]) throws {
        let result = try Terminal().covey(with: words)
        #expect(result.exitCode == 0 && result.words.isEmpty)
        #expect(result.output.hasPrefix("covey build: points in, clustered vector tiles out\n"))
    }

    @Test func `help behind the end of options is the name of a file`() throws {
        let result = try Terminal().covey("build", "-o", "x.mbtiles", "--", "--help")
        #expect(result.exitCode == 1 && result.words.contains("--help"), "\(result.words)")
        #expect(result.output.isEmpty)
    }

    @Test func `a reader that goes away is no failure and no endless loop`() throws {
        let result = try Terminal().shell(
            #"{ sleep 0.3; timeout 20 "$COVEY" recipe schema; echo "ended with $?" >&2; } | true"#)
        #expect(result.words == "ended with 0\n")
    }
}
