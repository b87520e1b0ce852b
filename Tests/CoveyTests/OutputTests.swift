import Foundation
import Testing

/// What `covey build -o` replaces, and what it refuses.
struct OutputTests {
    static func terminal() throws -> Terminal {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\n3,4\n", to: "points.csv")
        return terminal
    }

    @Test(arguments: [
        ("-", "an archive can't go to standard output"),
        ("out.geojson", "out.geojson: covey does not write .geojson archives"),
        ("sub.d/out", "sub.d/out: its name does not say what kind of archive to write"),
        ("/dev/null", "/dev/null: its name does not say what kind of archive to write"),
    ])
    func `an output that names no archive is bad usage, and says what is known`(
        path: String, problem: String
    ) throws {
        let result = try Self.terminal().covey("build", "points.csv", "-o", path, "--force")
        #expect(result.exitCode == 2)
        #expect(
            result.words
                == "covey: \(problem)\n       name a file that ends in .mbtiles or .pmtiles, or "
                + "a folder with a / at its end\n")
    }

    @Test func `no input is replaced, whatever it is called`() throws {
        let terminal = try Self.terminal()
        let folder = terminal.folder.path
        let manager = FileManager.default
        try manager.linkItem(
            atPath: "\(folder)/points.csv", toPath: "\(folder)/hard.mbtiles")
        try manager.createSymbolicLink(
            atPath: "\(folder)/soft.mbtiles", withDestinationPath: "points.csv")
        try terminal.write(
            #"{"layers": [{"name": "a", "sources": ["points.csv"]}]}"#, to: "recipe.json")
        try manager.linkItem(
            atPath: "\(folder)/recipe.json", toPath: "\(folder)/recipe.mbtiles")
        let before = try terminal.bytes("points.csv")
        try manager.linkItem(atPath: "\(folder)/points.csv", toPath: "\(folder)/other.csv")
        for (input, output, meant) in [
            // Whatever its name ends in.
            ("points.csv", "other.csv", "points.csv"),
            ("recipe.json", "other.csv", "points.csv"),
            ("points.csv", "hard.mbtiles", "points.csv"),
            ("points.csv", "soft.mbtiles", "points.csv"),
            ("recipe.json", "hard.mbtiles", "points.csv"),
            ("recipe.json", "recipe.mbtiles", "recipe.json"),
        ] {
            let result = try terminal.covey("build", input, "-o", output, "--force")
            #expect(result.exitCode == 1)
            #expect(
                result.words.contains("\(output) is the same file as \(meant), which this build"),
                "\(result.words)")
        }
        #expect(try terminal.bytes("points.csv") == before)
    }

    @Test func `no report and no file beside the archive replaces anything either`() throws {
        let terminal = try Self.terminal()
        let folder = terminal.folder.path
        let manager = FileManager.default
        let before = try terminal.bytes("points.csv")
        let report = try terminal.covey(
            "build", "points.csv", "-o", "x.mbtiles", "--report", "./points.csv")
        #expect(report.words.contains("./points.csv is the same file as points.csv"))
        // Nor by the file of clusters beside an archive.
        try manager.linkItem(
            atPath: "\(folder)/points.csv", toPath: "\(folder)/y.clusters.pmtiles")
        let beside = try terminal.covey("build", "points.csv", "-o", "y.pmtiles", "--force")
        #expect(beside.words.contains("y.clusters.pmtiles is the same file as points.csv"))
        let second = try terminal.covey(
            "build", "points.csv", "-o", "z.pmtiles", "--report", "z.clusters.pmtiles")
        #expect(second.exitCode == 2 && second.words.contains("would replace the archive"))
        // The archive that is to be is not there yet.
        let itself = try terminal.covey(
            "build", "points.csv", "-o", "x.mbtiles", "--report",
            "../\(terminal.folder.lastPathComponent)/x.mbtiles")
        #expect(itself.exitCode == 2 && itself.words.contains("would replace the archive"))
        #expect(try terminal.bytes("points.csv") == before)
        #expect(!manager.fileExists(atPath: "\(folder)/x.mbtiles"))
    }

    @Test func `features without a type are points, and no recipe`() throws {
        let terminal = try Self.terminal()
        try terminal.write(
            #"{"features": [{"type": "Feature", "geometry": null, "properties": {}}]}"#,
            to: "points.json")
        let result = try terminal.covey("build", "points.json", "-o", "x.mbtiles")
        #expect(!result.words.contains("layers"), "\(result.words)")
    }

    @Test(arguments: [
        ("--memory 1K", "needs about 2 KiB of memory and may use 1 KiB"),
        ("--memory 8ß", "--memory 8ß: this should be an amount of memory"),
        ("--memory 1e30", "--memory 1e30: this should be an amount of memory"),
        ("--memory nan", "--memory nan: this should be an amount of memory"),
    ])
    func `too little memory is a sentence`(words: String, problem: String) throws {
        let result = try Self.terminal().covey(
            "build", "points.csv", "-o", "x.mbtiles",
            with: words.split(separator: " ").map(String.init))
        #expect([1, 2].contains(result.exitCode))
        #expect(result.words.contains(problem), "\(result.words)")
    }

    @Test(arguments: ["mbtiles", "pmtiles"])
    func `a file that may not grow is a sentence, and is removed`(ending: String) throws {
        let terminal = try Self.terminal()
        let result = try terminal.shell(
            "ulimit -f 1; exec \"$COVEY\" build points.csv -o out.\(ending) --quiet")
        #expect(
            result.exitCode == 1 && result.words.contains("cannot be written"), "\(result.words)")
        let names = try FileManager.default.contentsOfDirectory(atPath: terminal.folder.path)
        #expect(!names.contains { $0.contains("out.") }, "\(names)")
    }

    @Test func `a limit of addresses that is too low is a sentence too, and never a trap`() throws {
        let terminal = try Self.terminal()
        var refusals = 0
        for kibibytes in [240_000, 280_000, 340_000] {
            let result = try terminal.shell(
                "ulimit -v \(kibibytes); exec \"$COVEY\" build points.csv -o x.mbtiles --force "
                    + "--threads 4 --quiet")
            guard result.exitCode != 0 else { continue }
            refusals += 1
            #expect(result.exitCode == 1)
            #expect(result.words.contains("ulimit -v leaves it"), "\(result.words)")
        }
        #expect(refusals > 0)
    }

    @Test func `cells that are worked on at once leave addresses for their threads`() throws {
        let terminal = try Self.terminal()
        // As many threads as there could be did not begin, and the others waited for them.
        let result = try terminal.shell(
            "ulimit -v 700000; exec timeout -s KILL 60 \"$COVEY\" build points.csv -o x.mbtiles "
                + "--cell-zoom 3 --threads 16 --quiet")
        #expect(result.exitCode == 0, "\(result.words)")
    }
}
