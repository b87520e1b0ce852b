import Foundation
import HTTP
import Testing

/// What is left of a server that has ended.
struct ListeningSocketTests {
    #if os(Linux)
        /// In a process of its own, which has no other sockets.
        @Test(arguments: [true, false])
        func `a server that has ended leaves no socket open`(isDrained: Bool) async {
            await #expect(processExitsWith: .success) { [isDrained] in
                func sockets() throws -> Int {
                    let folder = "/proc/self/fd"
                    return try FileManager.default.contentsOfDirectory(atPath: folder).count {
                        name in
                        let link = "\(folder)/\(name)"
                        let target = try? FileManager.default.destinationOfSymbolicLink(
                            atPath: link)
                        return target?.hasPrefix("socket:") == true
                    }
                }
                func serve() throws {
                    let server = try HTTPServerTests.server()
                    let answer = HTTPServerTests.ask(
                        "GET / HTTP/1.1\r\n\(HTTPServerTests.close)", of: server)
                    try #require(answer.hasPrefix("HTTP/1.1 200 OK"))
                    if isDrained { _ = server.drain(seconds: 1) }
                }
                try serve()
                let before = try sockets()
                for _ in 0..<3 { try serve() }
                try #require(try sockets() == before)
            }
        }
    #endif
}
