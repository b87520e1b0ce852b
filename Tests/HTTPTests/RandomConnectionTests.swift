import CLibrary
import HTTP
import Platform
import TestSupport
import Testing

/// Who is let in, against a list that is counted anew each time; and the numbers that say so.
struct RandomConnectionTests {
    private struct Open {
        let connection: Connection
        let peer: Int
    }

    @Test(arguments: 0..<6)
    func `connections are admitted and counted as a plain list of them says`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var limits = Limits()
        limits.connections = 3 + Int(random.next() % 5)
        limits.connectionsPerAddress = seed == 0 ? nil : 1 + Int(random.next() % 3)
        limits.proxies = [try #require(AddressBlock("10.0.0.3"))]
        let peers = try (1...3).map { try #require(IPAddress("10.0.0.\($0)")) }
        let count = ConnectionCount()
        let table = ConnectionTable(limits: limits, count: count)
        var (open, refused) = ([Open](), 0)
        for _ in 0..<400 {
            if random.next() % 3 == 0, !open.isEmpty {
                table.close(open.remove(at: Int(random.next() % UInt64(open.count))).connection)
            } else {
                let peer = Int(random.next() % 3)
                let admitted = open.filter { $0.connection.admission == .admitted }
                let same = admitted.count { $0.peer == peer }
                let isFull = peer != 2 && same >= limits.connectionsPerAddress ?? .max
                let connection = table.open(socket: -1, from: peers[peer])
                #expect(
                    connection.admission
                        == (admitted.count >= limits.connections
                            ? .tooMany : isFull ? .tooManyFromAddress : .admitted))
                refused += connection.admission == .admitted ? 0 : 1
                open.append(Open(connection: connection, peer: peer))
            }
            let admitted = open.filter { $0.connection.admission == .admitted }
            #expect(count.value == open.count && count.refused == refused)
            #expect(table.addressCount == Set(admitted.map(\.peer)).count)
        }
    }

    @Test func `what a server puts up with is what its documentation says`() {
        var limits = Limits()
        #expect(limits.connections == 1_024 && limits.connectionsPerAddress == 256)
        #expect(limits.unlimitedPaths.isEmpty && limits.proxies.isEmpty && limits.threads == 1)
        #expect(limits.secondsToAsk == 30 && limits.secondsToFetch == 120)
        #expect(limits.bytesPerPath == 4_096 && limits.bytesPerHead == 8_192)
        #expect(limits.bytesPerRequest == 32_768 && Limits.secondsToAskPastLimit == 2)
        // 16 a thread and an eighth more are taken; half of them may stay until they ask.
        #expect(limits.connectionsPastLimit == (16 + 128) / 2)
        (limits.connections, limits.threads) = (40, 3)
        #expect(limits.connectionsPastLimit == (48 + 5) / 2)
    }

    @Test func `who is past a limit has two seconds to ask, or fewer`() {
        for (seconds, least) in [(30, 2), (1, 1)] {
            var limits = Limits()
            (limits.connections, limits.secondsToAsk) = (0, seconds)
            let table = ConnectionTable(limits: limits, count: ConnectionCount())
            let start = Instant(nanoseconds: 7_000_000_000)
            let connection = table.open(socket: -1, from: .loopback, at: start)
            #expect(!connection.isOverdue(at: start.advanced(bySeconds: least)))
            #expect(connection.isOverdue(at: start.advanced(bySeconds: least + 1)))
        }
    }

    @Test func `each status has the number of its standard`() {
        let statuses: [Status] = [
            .ok, .noContent, .partialContent, .notModified, .badRequest, .notFound,
            .methodNotAllowed, .contentTooLarge, .uriTooLong, .rangeNotSatisfiable,
            .headerFieldsTooLarge, .internalServerError, .serviceUnavailable,
        ]
        #expect(
            statuses.map(\.rawValue) == [
                200, 204, 206, 304, 400, 404, 405, 413, 414, 416, 431, 500, 503,
            ])
    }

    @Test func `a socket has the port that was asked for, of either family`() throws {
        for (host, family) in [("127.0.0.1", AF_INET), ("::1", AF_INET6)] {
            guard let socket = try? ListeningSocket(host: host, port: 0),
                let server = try? HTTPServer(
                    at: socket, limits: Limits(), answer: HTTPServerTests.echo)
            else {
                #expect(family == AF_INET6, "a machine without IPv6 has IPv4")
                continue
            }
            #expect((1_024...65_535).contains(server.port))
            do {
                _ = try HTTPServer(
                    at: ListeningSocket(host: host, port: server.port), limits: Limits(),
                    answer: HTTPServerTests.echo
                ).port
                Issue.record("a port was had twice")
            } catch {
                #expect(error == .cannotListen(host: host, port: server.port, code: EADDRINUSE))
                #expect(
                    "\(error)".hasSuffix("\nanother program has it; use --port to take another"))
            }
        }
        let other = HTTPError.cannotListen(host: "a", port: 1, code: EACCES)
        #expect("\(other)" == "cannot listen on a, port 1: \(FileError.words(for: EACCES))")
    }

    #if os(Linux)
        @Test
        func `limits take as many files as they may, and fewer connections where more are wanted`()
            async
        {
            await #expect(processExitsWith: .success) {
                var limit = rlimit(rlim_cur: 256, rlim_max: 700)
                let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
                setrlimit(files, &limit)
                var limits = Limits()
                limits.threads = 2
                try #require(limits.fitOpenFiles() == 700)
                try #require(getrlimit(files, &limit) == 0 && limit.rlim_cur == 700)
                try #require((300...500).contains(limits.connections))
                try #require(limits.connections + limits.connectionsPastLimit + 100 < 700)
                try #require(limits.connectionsPerAddress == limits.connections / 4)
                // What fits stays as it is.
                try #require(limits.fitOpenFiles() == nil)
            }
        }
    #endif

    @Test func `the addresses of this machine are those that it can listen on`() throws {
        for address in IPAddress.ofThisMachine {
            #expect(address != .loopback && address.description.contains("."))
            let server = try HTTPServer(
                at: ListeningSocket(host: address.description, port: 0), limits: Limits(),
                answer: HTTPServerTests.echo)
            #expect(server.port > 0)
        }
        #expect(IPAddress.ofThisMachine.count == Set(IPAddress.ofThisMachine).count)
    }
}
