import Foundation
import Testing

/// `covey serve` goes on where a fault ends the process that answers.
struct SupervisionTests {
    /// A server, and what it said.
    private struct Running {
        /// Its folder goes with it.
        let terminal: Terminal
        let process: Process
        let words: URL
        let port: Int

        init(_ terminal: Terminal) throws {
            self.terminal = terminal
            words = terminal.folder.appending(path: "words")
            try Data().write(to: words)
            process = try terminal.start(
                "serve", "points.mbtiles", "--port", "0", input: Pipe(),
                words: FileHandle(forWritingTo: words))
            let said = try Self.wait { [words] in
                try String(contentsOf: words, encoding: .utf8).firstMatch(of: /127\.0\.0\.1:(\d+)/)
                    .flatMap { Int($0.1) }
            }
            port = said
        }

        static func wait<Value>(_ find: () throws -> Value?) throws -> Value {
            for _ in 0..<1_200 {
                if let found = try find() { return found }
                usleep(25_000)
            }
            throw Late()
        }

        /// The process that answers.
        func worker(not others: [pid_t] = []) throws -> pid_t {
            let id = process.processIdentifier
            return try Self.wait {
                let list = try String(
                    contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
                return list.split(separator: " ").compactMap { pid_t($0) }
                    .first { !others.contains($0) }
            }
        }

        func answers() -> Bool {
            let line = "curl -s -m 20 http://127.0.0.1:\(port)/health"
            return (try? terminal.shell(line).exitCode) == 0
        }
    }

    private struct Late: Error {}

    private func terminal() throws -> Terminal {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\n1,2.1\n", to: "points.csv")
        let built = try terminal.covey(
            "build", "points.csv", "-o", "points.mbtiles", "--quiet", "--max-zoom", "3")
        try #require(built.exitCode == 0, "\(built.words)")
        return terminal
    }

    /// Its points come from a pipe that brings none, so that it builds for ever.
    @Test(arguments: [("TERM", 143), ("INT", 130), ("HUP", 129)])
    func `a server that is ended while it builds leaves nothing`(
        signal: String, code: Int
    ) throws {
        let terminal = try Terminal()
        try terminal.write(#"{"layers": [{"name": "a", "sources": ["pipe"]}]}"#, to: "r.json")
        let result = try terminal.shell(
            """
            mkfifo pipe; mkdir temporary; exec 9<>pipe
            TMPDIR=$PWD/temporary "$COVEY" serve r.json --port 0 & server=$!
            for i in $(seq 400); do [ "$(ls temporary)" ] && break; sleep 0.02; done
            sleep 0.3; ls temporary | wc -l
            kill -\(signal) $server; wait $server; echo $?
            ls temporary | wc -l
            """)
        #expect(result.output == "1\n\(code)\n0\n", "\(result.words)")
        #expect(result.words.contains("stopped"))
    }

    @Test func `a server whose worker is ended by a fault is started again at its port`() throws {
        let running = try Running(terminal())
        #expect(running.answers())
        let first = try running.worker()
        kill(first, SIGKILL)
        let second = try running.worker(not: [first])
        // The socket was open all the while.
        #expect(running.answers() && second != first)
        let words = try String(contentsOf: running.words, encoding: .utf8)
        #expect(words.contains("it is started again"), "\(words)")
        kill(running.process.processIdentifier, SIGTERM)
        running.process.waitUntilExit()
        #expect(running.process.terminationStatus == 0)
        #expect(!running.answers() && kill(second, 0) != 0)
    }

    @Test func `a worker ends with the process that watches over it`() throws {
        let running = try Running(terminal())
        let worker = try running.worker()
        kill(running.process.processIdentifier, SIGKILL)
        running.process.waitUntilExit()
        let isGone = try Running.wait { kill(worker, 0) != 0 ? true : nil }
        #expect(isGone)
    }

    /// A service manager sends the signal to both processes; it must not count twice.
    @Test func `a signal that comes to both processes ends them in peace`() throws {
        let running = try Running(terminal())
        // Only a worker that serves knows what the signals mean.
        #expect(running.answers())
        let worker = try running.worker()
        for id in [worker, running.process.processIdentifier] { kill(id, SIGTERM) }
        running.process.waitUntilExit()
        #expect(running.process.terminationStatus == 0)
        let words = try String(contentsOf: running.words, encoding: .utf8)
        #expect(words.contains("finishing open requests"), "\(words)")
        #expect(!words.contains("is cut off"), "\(words)")
    }
}
