import Foundation
import JSON
import Testing

/// What each option of a server does to its answers.
struct ServeEffectTests {
    /// What is asked of a server with all options that change answers, a line each.
    private static let questions = [
        "style": #"-o style.json "${base}points/style.json""#,
        "page": #"-D page.txt -o page.html "$base""#,
        "json": #"-D json.txt -o tiles.json "${base}points""#,
        "missing": #"-o missing.txt -w '%{http_code}' "${base}points/8/0/0""#,
    ]

    private static func serving(_ words: String) throws -> Terminal {
        let terminal = try Terminal()
        let archive = try ServingVerbsTests.terminal.get().folder.path + "/points.mbtiles"
        let asked = questions.sorted { $0.key < $1.key }.map {
            "curl -sS \($1) >\($0).code"
        }.joined(separator: "\n")
        let result = try terminal.shell(
            """
            "$COVEY" serve --port 0 \(words) '\(archive)' >log 2>words & server=$!
            for i in $(seq 200); do grep -q http words && break; sleep 0.05; done
            base=$(sed -n 's/.* at \\(http[^ ]*\\).*/\\1/p' words)
            \(asked)
            kill $server; wait $server
            """)
        #expect(result.exitCode == 0, "\(result.words)")
        return terminal
    }

    /// A pipe holds a few hundred lines.
    @Test func `a reader of the log who stops keeps no client from an answer`() throws {
        let terminal = try Terminal()
        let archive = try ServingVerbsTests.terminal.get().folder.path + "/points.mbtiles"
        let result = try terminal.shell(
            """
            mkfifo log; sleep 60 <log & reader=$!
            "$COVEY" serve --port 0 --access-log '\(archive)' >log 2>words & server=$!
            for i in $(seq 200); do grep -q http words && break; sleep 0.05; done
            base=$(sed -n 's/.* at \\(http[^ ]*\\).*/\\1/p' words)
            timeout 8 curl -s "${base}health?[1-900]" | grep -o '"status":"ok"' | wc -l
            kill $server; timeout 5 tail --pid=$server -f /dev/null; kill $reader; cat words
            """)
        #expect(result.output.hasPrefix("900\n"), "\(result.output)\(result.words)")
        #expect(
            result.output.components(separatedBy: "its reader has stopped").count == 2,
            "\(result.output)")
    }

    @Test func `where few files may be open, connections are refused and health is answered`()
        throws
    {
        let terminal = try Terminal()
        let archive = try ServingVerbsTests.terminal.get().folder.path + "/points.mbtiles"
        let result = try terminal.shell(
            """
            (ulimit -n 200; exec "$COVEY" serve --port 0 --threads 2 '\(archive)' 2>words) & server=$!
            for i in $(seq 200); do grep -q http words && break; sleep 0.05; done
            port=$(sed -n 's/.*127.0.0.1:\\([0-9]*\\).*/\\1/p' words)
            bash -c 'for i in $(seq 250); do exec {f}<>/dev/tcp/127.0.0.1/$0; done
                curl -s -m 5 http://127.0.0.1:$0/health' $port
            kill $server; wait $server; cat words
            """)
        #expect(result.output.contains(#""status":"ok""#), "\(result.output)\(result.words)")
        #expect(result.output.contains("only 200 files may be open (ulimit -n)"))
    }

    @Test func `without options answers are the usual ones`() throws {
        let terminal = try Self.serving("")
        let style = try terminal.read("style.json")
        #expect(style.contains("/-/fonts/{fontstack}/{range}.pbf\""))
        #expect(style.contains("Open Sans Semibold"))
        let page = try terminal.read("page.txt").lowercased()
        #expect(page.contains("frame-ancestors 'none'") || page.contains("frame-ancestors 'self'"))
        let headers = try terminal.read("json.txt")
        // The address by which it was asked stands in it, so it is for the one who asked.
        #expect(headers.contains("Cache-Control: no-cache, private"), "\(headers)")
        #expect(try terminal.read("missing.code") == "204" && terminal.read("log").isEmpty)
    }

    @Test func `each option that changes answers is seen in them`() throws {
        let glyphs = "https://g.example/{fontstack}/{range}.pbf"
        let terminal = try Self.serving(
            "--glyphs '\(glyphs)' --font 'A Font' --cache-control 'max-age=7' --missing 404 "
                + "--public-url https://t.example/base --basemap https://b.example/s.json "
                + "--embed --access-log --maplibre https://m.example/dist")
        let style = try JSONValue(parsing: terminal.read("style.json")).asObject
        #expect(style?["glyphs"] == .string(glyphs))
        #expect(try terminal.read("style.json").contains(#"["A Font"]"#))
        let page = try terminal.read("page.html")
        #expect(page.contains("https://b.example/s.json"))
        #expect(page.contains("https://m.example/dist/maplibre-gl.js"))
        #expect(!(try terminal.read("page.txt").contains("frame-ancestors 'none'")))
        #expect(!(try terminal.read("page.txt").contains("frame-ancestors 'self'")))
        #expect(try terminal.read("json.txt").contains("max-age=7"))
        #expect(try terminal.read("tiles.json").contains("https://t.example/base/points/{z}"))
        #expect(try terminal.read("missing.code") == "404")
        let log = try terminal.read("log").split(separator: "\n").map {
            try FigureTests.object(String($0))["path"]?.asString
        }
        #expect(log == ["/points", "/points/8/0/0", "/", "/points/style.json"])
    }

    /// Keeps connections open and asks once more.
    private static func answer(_ words: String, beside count: Int) throws -> String {
        let terminal = try Terminal()
        let archive = try ServingVerbsTests.terminal.get().folder.path + "/points.mbtiles"
        try terminal.write(
            """
            "$COVEY" serve --port 0 \(words) '\(archive)' 2>words & server=$!
            for i in $(seq 200); do grep -q http words && break; sleep 0.05; done
            port=$(sed -n 's/.*127.0.0.1:\\([0-9]*\\).*/\\1/p' words)
            for i in $(seq \(count)); do exec {open}<>/dev/tcp/127.0.0.1/$port; done
            for i in 1 2 3 4; do
                curl -sS -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:$port/points
            done | sort | tail -n 1
            kill $server; wait $server
            """, to: "ask.bash")
        return try terminal.shell("bash ask.bash").output.filter { !$0.isWhitespace }
    }

    @Test(arguments: [
        // A quarter of all, and sixteen at least, from one address.
        ("--max-connections 80", 18, "200"), ("--max-connections 80", 20, "503"),
        ("--max-connections 20", 14, "200"), ("--max-connections 20", 16, "503"),
        ("--max-connections-per-ip 3", 2, "200"), ("--max-connections-per-ip 3", 3, "503"),
        ("--max-connections 5 --max-connections-per-ip 9", 4, "200"),
        ("--max-connections 5 --max-connections-per-ip 9", 5, "503"),
    ])
    func `connections past the limits are turned away, and none before`(
        words: String, open: Int, answer: String
    ) throws {
        #expect(try Self.answer(words, beside: open) == answer)
    }
}
