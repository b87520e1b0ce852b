import Foundation
import Testing

/// A server that takes a connection and never answers.
final class SilentServer {
    private let listener: Int32
    let port: UInt16

    struct Failure: Error {}

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isThere = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isThere else { throw Failure() }
        port = address.sin_port.bigEndian
    }

    deinit { close(listener) }

    /// A port that is free as long as no other program takes it.
    static func freePort() throws -> UInt16 { try SilentServer().port }

    /// The next who connects, within some seconds.
    func client() throws -> Int32 {
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 20_000) == 1 else { throw Failure() }
        return accept(listener, nil, nil)
    }

    /// Whether a client hangs up.
    static func isLeft(_ client: Int32, within seconds: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var waiting = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 1_000 * seconds) == 1 {
            if read(client, &buffer, buffer.count) <= 0 { return true }
        }
        return false
    }
}

/// A build that waits for an input that gives nothing ends when it is told to.
struct StoppingTests {
    @Test func `a build under nohup outlives its terminal`() throws {
        let result = try Terminal().shell(
            """
            mkfifo pipe.csv
            (trap '' HUP; exec "$COVEY" build - -l a -o a.mbtiles -q --max-zoom 3) < pipe.csv & build=$!
            exec 9> pipe.csv
            printf 'lon,lat\\n' >&9; sleep 0.4
            kill -HUP $build; sleep 0.4
            printf '1,2\\n' >&9; exec 9>&-
            wait $build; echo $?
            """)
        #expect(result.output == "0\n", "\(result.words)")
    }

    @Test(arguments: ["standard input", "a fifo without a writer", "a fifo that is silent"])
    func `a signal ends a build that waits, and leaves nothing`(input: String) throws {
        let terminal = try Terminal()
        let fifo = terminal.folder.appending(path: "fifo.csv").path
        #expect(mkfifo(fifo, 0o600) == 0)
        let pipe = Pipe()
        let writer = input == "a fifo that is silent" ? open(fifo, O_RDWR) : -1
        defer { if writer >= 0 { close(writer) } }
        try terminal.write("", to: "words")
        let words = terminal.folder.appending(path: "words")
        let process = try terminal.start(
            "build", input == "standard input" ? "-" : "fifo.csv", "-o", "x.mbtiles",
            "--progress", "json", input: pipe, words: FileHandle(forWritingTo: words))
        // Once its output is begun, the program listens for signals.
        while try terminal.names.allSatisfy({ !$0.hasPrefix(".x.mbtiles") }), process.isRunning {
            usleep(5_000)
        }
        let start = ContinuousClock.now
        process.terminate()
        process.waitUntilExit()
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(process.terminationReason == .exit && process.terminationStatus == 143)
        #expect(try terminal.read("words").contains("stopped; nothing was written"))
        #expect(try terminal.names == ["fifo.csv", "words"])
    }

    @Test func `who is made to stop at once takes its download along`() throws {
        let server = try SilentServer()
        let terminal = try Terminal()
        try terminal.write("", to: "words")
        let process = try terminal.start(
            "build", "http://127.0.0.1:\(server.port)/a.csv", "-o", "x.mbtiles",
            input: Pipe(), words: FileHandle(forWritingTo: terminal.folder.appending(path: "words"))
        )
        let client = try server.client()
        // The first asks, the second does not wait for an answer.
        for _ in 0..<2 { kill(process.processIdentifier, SIGINT) }
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
        #expect(SilentServer.isLeft(client, within: 3), "curl goes on")
        close(client)
    }

    @Test func `what a killed build left in --temp-dir goes with the next, and no sooner`() throws {
        let terminal = try Terminal()
        let points = (0..<9_000).map { "\(Double($0 % 300) / 2 - 70),\(Double($0 / 300) - 15)" }
        try terminal.write("lon,lat\n" + points.joined(separator: "\n"), to: "points.csv")
        try terminal.write("lon,lat\n1,2\n", to: "few.csv")
        let result = try terminal.shell(
            """
            mkdir temporary
            there() { ls temporary | wc -l; }
            few() { "$COVEY" build few.csv -o few.mbtiles --temp-dir temporary -q -f; }
            "$COVEY" build points.csv -o a.mbtiles --temp-dir temporary --cell-zoom 3 -q & cut=$!
            for i in $(seq 2000); do [ "$(there)" = 1 ] && break; sleep 0.005; done
            kill -STOP $cut; few; there
            kill -KILL $cut; wait $cut; there
            few; there
            """)
        #expect(result.output == "1\n1\n0\n", "\(result.words)")
    }

    @Test func `a build in cells that is stopped takes its temporary folder along`() throws {
        let terminal = try Terminal()
        let points = (0..<90_000).map { "\(Double($0 % 900) / 5 - 70),\(Double($0 / 900) - 45)" }
        try terminal.write("lon,lat\n" + points.joined(separator: "\n"), to: "points.csv")
        let result = try terminal.shell(
            """
            mkdir temporary
            for wait in 0 0.05 0.1 0.2 0.3; do
                "$COVEY" build points.csv -o a.mbtiles --temp-dir temporary --cell-zoom 4 -q & cut=$!
                for i in $(seq 2000); do ls temporary/*/*/cluster > /dev/null 2>&1 && break; sleep 0.005; done
                sleep $wait
                kill -TERM $cut; wait $cut
                echo $? $(ls -A temporary | wc -l)
            done
            ls -A | grep -c mbtiles
            """)
        #expect(
            result.output == Array(repeating: "143 0\n", count: 5).joined()
                + "0\n",
            "\(result.words)")
    }
}
