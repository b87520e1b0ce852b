import Testing

/// What options of a server come to, asked of one that runs.
struct ServeOptionTests {
    /// Serves with these words, and prints what a line of the shell finds of it.
    private static func serving(_ words: String, _ line: String) throws -> String {
        let terminal = try ServingVerbsTests.terminal.get()
        let name = "words-\(UInt64.random(in: 0 ... .max))"
        return try terminal.shell(
            """
            "$COVEY" serve --port 0 \(words) points.mbtiles 2> \(name) & server=$!
            for i in $(seq 200); do grep -q http \(name) && break; sleep 0.05; done
            base=$(sed -n 's/.* at \\(http[^ ]*\\).*/\\1/p' \(name))
            \(line)
            kill $server; wait $server
            """
        ).output
    }

    @Test(arguments: [
        ("", "*"), ("--cors '*'", "*"), ("--cors none", ""),
        ("--cors https://a.example", "https://a.example"), ("--cors https://b.example", ""),
        ("--cors https://b.example --cors https://a.example", "https://a.example"),
        ("--cors HTTPS://A.example/", "https://a.example"),
    ])
    func `pages of other origins may read what they are let`(words: String, allowed: String) throws
    {
        let output = try Self.serving(
            words,
            """
            curl -sS -o /dev/null -D - -H 'Origin: https://a.example' "${base}points" \
                | sed -n 's/^[Aa]ccess-[Cc]ontrol-[Aa]llow-[Oo]rigin: //p'
            """)
        #expect(output.filter { !$0.isWhitespace } == allowed)
    }

    @Test func `requests that are refused before they are asked are counted`() throws {
        let output = try Self.serving(
            "--max-connections 4 --max-connections-per-ip 4",
            """
            ask() { curl -sS -o /dev/null "$@"; }
            ask -d x "${base}points"; ask -H 'Host: a@b' "${base}points"
            ask "$base$(printf 'a%.0s' $(seq 5000))"
            ask -H "X: $(printf 'a%.0s' $(seq 9000))" "${base}points"
            curl -sS "${base}metrics" | grep refused
            """)
        let told = output.split(separator: "\n").map(String.init)
        let wanted = [400, 413, 414, 431].map {
            "covey_requests_total{kind=\"refused\",status=\"\($0)\"} 1"
        }
        #expect(told == wanted, "\(told)")
    }

    #if os(Linux)
        @Test func `as many threads answer as were asked for`() throws {
            // Threads of the system come and go besides.
            let isSeen = try (0..<20).contains { _ in
                let counts = try [2, 6].map(Self.threads)
                return counts[0] > 2 && counts[1] == counts[0] + 4
            }
            #expect(isSeen)
        }

        /// How many threads a server has that is asked for so many.
        private static func threads(_ asked: Int) throws -> Int {
            let output = try serving(
                "--threads \(asked)",
                """
                curl -sS -o /dev/null "${base}points"
                for id in $server $(cat /proc/$server/task/*/children); do
                    ls /proc/$id/task; done | wc -l
                """)
            return Int(output.filter(\.isNumber)) ?? 0
        }
    #endif
}
