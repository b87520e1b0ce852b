import Foundation
import Testing

@testable import covey

/// Every verb where one of its three streams is closed, full, or has a reader that leaves.
struct StreamTests {
    /// A line, and how it ends where all is well.
    struct Line: CustomTestStringConvertible, Sendable {
        let words: String
        var prints = false
        var code: Int32 = 0
        /// The file that it makes.
        var product: String?
        var testDescription: String { words }

        init(_ words: String, prints: Bool = false, code: Int32 = 0, makes product: String? = nil) {
            self.words = words
            self.prints = prints
            self.code = code
            self.product = product
        }
    }

    static let lines: [Line] = [
        .init("--version", prints: true), .init("--help", prints: true), .init("", code: 2),
        .init("help", prints: true), .init("help build --all", prints: true),
        .init("help --man", prints: true), .init("completions bash", prints: true),
        .init("build a.csv -o out.mbtiles", makes: "out.mbtiles"),
        .init("build a.csv -o out.pmtiles --progress json", makes: "out.pmtiles"),
        .init("build a.csv -o out.mbtiles --json", prints: true, makes: "out.mbtiles"),
        .init("build a.csv -o out.mbtiles --report report.json", makes: "report.json"),
        .init("build nothing.csv -o out.mbtiles", code: 1),
        .init("update live.pmtiles a.csv -o out.mbtiles", makes: "out.mbtiles"),
        .init(
            "update live.pmtiles a.csv -o out.mbtiles --json", prints: true, makes: "out.mbtiles"),
        .init("cells plan a.csv --job job", prints: true, makes: "job/plan.json"),
        .init("cells status --job ../planned", prints: true),
        .init("cells status --job ../planned --json", prints: true),
        .init("cells cluster --job ../planned", prints: true),
        .init("cells merge --job ../planned -o out.mbtiles", makes: "out.mbtiles"),
        .init("inspect a.mbtiles", prints: true),
        .init("inspect a.mbtiles --list", prints: true),
        .init("inspect a.mbtiles --nodes --zoom 0", prints: true),
        .init("inspect a.mbtiles --geojson --zoom 0", prints: true),
        .init("inspect a.mbtiles 0/0/0 --raw", prints: true),
        .init("verify a.mbtiles", prints: true), .init("verify a.mbtiles --quiet"),
        .init("verify damaged.mvt --quiet", prints: true, code: 1),
        .init("clusters a.mbtiles --containing 1,2 --zoom 0", prints: true),
        .init("convert a.mbtiles out.pmtiles", makes: "out.pmtiles"),
        .init("convert a.mbtiles out.pmtiles --json", prints: true, makes: "out.pmtiles"),
        .init("join a.mbtiles b.mbtiles -o out.mbtiles", makes: "out.mbtiles"),
        .init("diff a.mbtiles a.mbtiles", prints: true),
        .init("diff a.mbtiles b.mbtiles", prints: true, code: 1),
        .init("diff a.mbtiles b.mbtiles --tiles --json", prints: true, code: 1),
        .init("style a.mbtiles", prints: true), .init("recipe schema", prints: true),
        .init("recipe show a.csv", prints: true), .init("recipe check recipe.json"),
        .init("recipe import style.json --style out.json", prints: true, makes: "out.json"),
        // They serve until they are stopped; a test below starts one.
        .init("serve nothing.mbtiles", code: 1), .init("demo --port 99999", code: 2),
    ]

    typealias Stream = (redirection: String, losesOutput: Bool, isFailure: Bool)

    /// What a line of the shell does with the streams. Descriptor 4 is a pipe that no one reads.
    static let together: [Stream] = [
        ("<&- >&- 2>&-", true, true), (">/dev/full 2>&1", true, true), (">&4 2>&4", true, false),
    ]
    static let single: [Stream] = [
        ("<&-", false, false), (">&-", true, true), ("2>&-", false, false),
        (">/dev/full", true, true), ("2>/dev/full", false, false),
        (">&4", true, false), ("2>&4", false, false),
    ]

    /// All streams at once for each line, and of those that are alone two by turns: a run takes a tenth of a second.
    static func streams(of line: Int) -> [Stream] {
        together + [single[2 * line % single.count], single[(2 * line + 1) % single.count]]
    }

    static let terminal = Result { () throws -> Terminal in
        let terminal = try Terminal()
        try terminal.write("lon,lat,name\n1,2,a\n1.001,2,b\n3,4,c\n", to: "a.csv")
        try terminal.write(
            #"{"layers": [{"name": "a", "sources": ["a.csv"]}]}"#, to: "recipe.json")
        try terminal.write(
            #"{"version": 8, "layers": [], "sources": {"a": {"type": "geojson", "cluster": true,"#
                + #" "data": "a.geojson"}}}"#, to: "style.json")
        let built = try terminal.shell(
            """
            "$COVEY" build a.csv -o a.mbtiles -q && "$COVEY" build a.csv -o b.mbtiles -q --layer b
            "$COVEY" build a.csv -o live.pmtiles -q --keep-points
            "$COVEY" build a.csv -o planned.mbtiles -q --job planned --cell-zoom 1
            printf '\\032\\005xxxxx' > damaged.mvt
            """)
        try #require(built.exitCode == 0, "\(built.words)")
        return terminal
    }

    /// Runs a line in a folder of its own, once for each of these redirections, and says what came of it and of
    /// its file.
    private func run(
        _ line: Line, _ redirections: [String]
    ) throws -> [(result: Terminal.Result, sum: String)] {
        let terminal = try Self.terminal.get()
        let folder = UUID().uuidString
        let runs = redirections.enumerated().map { index, redirection in
            """
            rm -rf out.* job report.json
            { "$COVEY" \(line.words) \(redirection); echo $? >code.\(index); } \
                >output.\(index) 2>words.\(index)
            cat \(line.product ?? "/dev/null") 2>&1 | cksum >sum.\(index)
            """
        }
        let shell = try terminal.shell(
            """
            mkdir \(folder); cd \(folder); mkfifo pipe; exec 3<>pipe 4>pipe 3>&-
            ln -s ../a.csv ../a.mbtiles ../b.mbtiles ../damaged.mvt ../recipe.json ../style.json ../live.* .
            \(runs.joined(separator: "\n"))
            """)
        try #require(shell.exitCode == 0, "\(shell.words)")
        return try redirections.indices.map { index in
            func text(_ name: String) throws -> String {
                String(decoding: try terminal.bytes("\(folder)/\(name).\(index)"), as: UTF8.self)
            }
            let code = try text("code").trimmingCharacters(in: .whitespacesAndNewlines)
            let result = Terminal.Result(
                exitCode: Int32(code) ?? -1, output: try text("output"), words: try text("words"))
            return (result, try text("sum"))
        }
    }

    @Test(arguments: lines.indices)
    func `a line ends as it should, whatever becomes of its streams`(index: Int) throws {
        let (line, streams) = (Self.lines[index], Self.streams(of: index))
        let runs = try run(line, [""] + streams.map(\.redirection))
        let (whole, product) = runs[0]
        #expect(whole.exitCode == line.code, "\(whole.words)")
        #expect(whole.output.isEmpty == !line.prints)
        for ((redirection, losesOutput, isFailure), (result, sum)) in zip(
            streams, runs.dropFirst())
        {
            let isLost = losesOutput && line.prints
            // 1 would say that the archives differ, or have errors.
            let isCheck = line.words.hasPrefix("diff") || line.words.hasPrefix("verify")
            let failure: Int32 = isCheck ? 2 : max(1, line.code)
            let code = isLost && isFailure ? failure : line.code
            #expect(result.exitCode == code, "\(redirection): \(result.words)")
            if !losesOutput {
                #expect(result.output.prefix(40) == whole.output.prefix(40), "\(redirection)")
            }
            if !redirection.contains("2>") {
                let said = result.words.matches(of: /standard output can't be written/).count
                #expect(said == (isLost && isFailure ? 1 : 0), "\(redirection): \(result.words)")
            }
            // What tells of times is another each time.
            if line.product != "report.json", line.product != "job/plan.json" {
                #expect(sum == product, "\(redirection)")
            }
        }
    }

    @Test func `every verb is tried`() {
        let tried = Set(Self.lines.compactMap { $0.words.split(separator: " ").first })
        let others = verbs.map { $0.name }.filter { !tried.contains(Substring($0)) }
        #expect(others.isEmpty, "add lines with them to `lines`")
    }

    @Test(arguments: [
        (">&-", 1), (">/dev/full", 1), (">&4", 1), ("<&- >&- 2>&-", 0), (">log 2>&-", 0),
        (">log 2>/dev/full", 0), (">log 2>&4", 0),
    ])
    func `a server goes on, whatever becomes of its streams`(
        redirection: String, complaints: Int
    ) throws {
        let result = try serving(redirection)
        #expect(result.output == "200 200 200 ended with 0\n", "\(result.words)")
        let said = result.words.matches(of: /the access log can't be written/).count
        #expect(said == complaints, "\(result.words)")
    }

    @Test func `the access log goes on when its disk has room again`() throws {
        let result = try serving(
            ">small.log", before: "ulimit -S -f 1",
            then: """
                for id in $server $(cat /proc/$server/task/*/children); do
                    prlimit --pid $id --fsize=unlimited
                done
                get; get;
                """)
        #expect(result.output == "200 200 200 200 200 ended with 0\n", "\(result.words)")
        let said = try #require(
            result.words.firstMatch(of: /the access log is written again; (\d+) lines? (are|is) m/))
        let lines = try Self.terminal.get().read("small.log").split(separator: "\n")
        for line in lines { #expect(line.hasPrefix("{\"time\"") && line.hasSuffix("}")) }
        // One to see whether it is up, and five.
        #expect(try lines.count + #require(Int(said.1)) == 6, "\(lines)")
    }

    /// A server that is asked three times and stopped; prints the codes of its answers.
    private func serving(
        _ redirection: String, before: String = "", then: String = ""
    ) throws -> Terminal.Result {
        let port = try SilentServer.freePort()
        let address = "http://127.0.0.1:\(port)"
        return try Self.terminal.get().shell(
            """
            rm -f pipe\(port); mkfifo pipe\(port); exec 3<>pipe\(port) 4>pipe\(port) 3>&-; \(before)
            "$COVEY" serve a.mbtiles --port \(port) --access-log \(redirection) & server=$!
            get() { curl -sS -o /dev/null -w '%{http_code} ' \(address)/a/0/0/0.mvt; }
            for i in $(seq 200); do
                curl -fsS -o /dev/null \(address)/a 2>/dev/null && break; sleep 0.05
            done
            get; get; get; \(then)
            kill $server; wait $server; echo "ended with $?"
            """)
    }
}
