import Foundation
import TileService
import Testing

@testable import covey

/// Which of what is to be served is points, and is built first.
struct LivingArchivesTests {
    private static func terminal() throws -> Terminal {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\n3,4\n", to: "a.csv")
        for folder in ["points", "both", "neither", "empty"] {
            try FileManager.default.createDirectory(
                at: terminal.folder.appending(path: folder), withIntermediateDirectories: true)
        }
        try terminal.write("lon,lat\n1,2\n", to: "points/b.csv")
        try terminal.write("lon,lat\n1,2\n", to: "both/b.csv")
        try terminal.write("a picture", to: "neither/a.png")
        // A GeoPackage begins as an archive does; neither is this one.
        try terminal.write("SQLite format 3\0" + String(repeating: "x", count: 200), to: "g.gpkg")
        let built = try terminal.shell(
            """
            "$COVEY" build a.csv -o a.mbtiles -q && cp a.mbtiles both/ && cp a.mbtiles plain
            "$COVEY" convert a.mbtiles tiles/ -q && "$COVEY" convert a.mbtiles a.pmtiles -q
            """)
        #expect(built.exitCode == 0, "\(built.words)")
        return terminal
    }

    @Test func `points are files that are no archive, and folders that have points and no archive`()
        throws
    {
        let terminal = try Self.terminal()
        for (name, id) in [
            ("a.csv", "a"), ("points", "points"), ("both", nil), ("neither", nil), ("empty", nil),
            ("a.mbtiles", nil), ("plain", nil), ("tiles", nil), ("a.pmtiles", nil),
            ("none.csv", "none"), ("none.mbtiles", nil), ("none", nil), ("g.gpkg", "g"),
        ] as [(String, String?)] {
            let path = ServedPath(path: terminal.folder.appending(path: name).path)
            let living = try LivingArchives([path], console: Console(), isQuiet: true)
            defer { living?.remove() }
            #expect(living?.paths.map(\.id) == id.map { [$0] }, "\(name)")
            #expect(living?.paths.first?.isLiving ?? true)
        }
        #expect(
            try LivingArchives(
                [ServedPath(path: "https://x.org/a.csv")], console: Console(), isQuiet: true) == nil
        )
    }

    @Test func `points that cannot be built are served later, if there is something else to serve`()
        throws
    {
        let terminal = try Self.terminal()
        try terminal.write("lon,lat\n1,2\nx,y\n", to: "bad.csv")
        let bad = ServedPath(path: terminal.folder.appending(path: "bad.csv").path)
        let good = ServedPath(path: terminal.folder.appending(path: "a.csv").path)
        let both = try #require(
            try LivingArchives([bad, good], console: Console(), isQuiet: true))
        defer { both.remove() }
        try both.buildAll()
        #expect(
            both.paths.map { FileManager.default.fileExists(atPath: $0.path) } == [false, true])
        let alone = try #require(try LivingArchives([bad], console: Console(), isQuiet: true))
        #expect(throws: (any Error).self) { try alone.buildAll() }
    }

    @Test func `points that can no longer be built are a problem of the server, until they can`()
        throws
    {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\n3,4\n", to: "a.csv")
        let result = try terminal.shell(
            """
            "$COVEY" serve --port 0 a.csv 2> words & server=$!
            for i in $(seq 200); do grep -q http words && break; sleep 0.05; done
            base=$(sed -n 's/.* at \\(http[^ ]*\\).*/\\1/p' words)
            ask() {
                for i in $(seq 100); do
                    curl -sS "${base}health" | grep -q "\\"problems\\":$1" && break; sleep 0.1; done
                curl -sS "${base}health"; echo
            }
            ask 0; echo x > a.csv; ask 1; curl -sS "${base}catalog" | grep -o '"problems":.*'
            printf 'lon,lat\\n5,6\\n' > a.csv; ask 0; rm a.csv; ask 1
            kill $server; wait $server
            """)
        let told = result.output.split(separator: "\n").map(String.init)
        let isSick = told.map { $0.contains(#""problems":1"#) }
        #expect(isSick == [false, true, false, false, true], "\(told) \(result.words)")
        #expect(told.count > 2 && told[2].contains("could not be built as they are now"))
        #expect(told.count > 2 && !told[2].contains(terminal.folder.path))
    }

    /// Programs that clean up what is old do that.
    @Test func `a map whose temporary folder is removed comes back`() throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\n3,4\n", to: "a.csv")
        let result = try terminal.shell(
            """
            mkdir temporary
            TMPDIR=$PWD/temporary "$COVEY" serve --port 0 a.csv 2> words & server=$!
            for i in $(seq 200); do grep -q http words && break; sleep 0.05; done
            tile=$(sed -n 's/.* at \\(http[^ ]*\\).*/\\1/p' words)a/0/0/0
            curl -s -o none -w '%{http_code} ' $tile
            rm -r temporary/*
            for i in $(seq 200); do grep -q 'now served' words && break; sleep 0.05; done
            curl -s -o none -w '%{http_code}' $tile
            kill $server; wait $server; ls temporary | wc -l
            """)
        #expect(result.output == "200 2000\n", "\(result.output) \(result.words)")
    }

    @Test func `points beside archives are not passed over without a word`() throws {
        let terminal = try Self.terminal()
        let result = try terminal.shell(
            """
            "$COVEY" serve --port 0 both 2> words & server=$!
            for i in $(seq 200); do grep -q http words && break; sleep 0.05; done
            kill $server; wait $server; cat words
            """)
        #expect(result.output.contains("both: has archives, so files of points in it are passed"))
    }

    @Test func `a recipe that is just being written is not taken for points`() throws {
        let terminal = try Terminal()
        try terminal.write("{\n", to: "r.json")
        let cut = try terminal.shell(#""$COVEY" serve r.json --port 0"#)
        #expect(cut.exitCode == 1 && !cut.words.contains("recipe show"), "\(cut.words)")
        let point = #"{"type": "Point", "coordinates": [1]}"#
        try terminal.write(
            #"{"type": "Feature", "properties": {}, "geometry": \#(point)}"#, to: "r.json")
        let bad = try terminal.shell(#""$COVEY" serve r.json --port 0"#)
        #expect(bad.exitCode == 1 && bad.words.contains("OPTIONS > recipe.json"), "\(bad.words)")
    }

    @Test func `what helps where points cannot be built is a line that works`() throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\nx,y\n", to: "bad.csv")
        let result = try terminal.shell(#""$COVEY" serve bad.csv --port 0"#)
        #expect(result.exitCode == 1 && result.words.contains("use --skip-invalid"))
        let told = try #require(result.words.firstMatch(of: /: covey (recipe show .*)\n/))
        let line = String(told.1).replacing("OPTIONS", with: "--skip-invalid")
        let built = try terminal.shell(
            "\"$COVEY\" \(line) && \"$COVEY\" build r.json -o x.mbtiles -q")
        #expect(built.exitCode == 0, "\(built.words)")
        try terminal.write(#"{"layers": [{"name": "a", "sources": ["bad.csv"]}]}"#, to: "b.json")
        let served = try terminal.shell(#""$COVEY" serve b.json --port 0"#)
        #expect(served.exitCode == 1 && !served.words.contains("recipe show"), "\(served.words)")
    }

    @Test func `archives beside points stay what they are, in their order`() throws {
        let terminal = try Self.terminal()
        let named = [("a.mbtiles", nil), ("a.csv", "inns"), ("points", nil)] as [(String, String?)]
        let paths = named.map {
            ServedPath(path: terminal.folder.appending(path: $0.0).path, id: $0.1)
        }
        let living = try #require(
            try LivingArchives(paths, console: Console(), isQuiet: true))
        defer { living.remove() }
        #expect(living.paths[0] == paths[0] && living.paths.map(\.isLiving) == [false, true, true])
        #expect(living.paths.map(\.id) == [nil, "inns", "points"])
        try living.buildAll()
        #expect(living.paths.dropFirst().map(\.ids) == [["inns"], ["points"]])
        for (path, points) in zip(living.paths.dropFirst(), ["2", "1"]) {
            let info = try terminal.covey("inspect", path.path, "--json").output
            #expect(try FigureTests.object(info)["layers"]?.asArray?.count == 1)
            #expect(info.contains("\"point_count\": \(points)"))
        }
    }
}
