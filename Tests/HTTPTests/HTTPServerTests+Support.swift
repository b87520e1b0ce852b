import CLibrary
import Foundation
import HTTP
import Synchronization
import Testing

extension HTTPServerTests {
    static func pause(milliseconds: UInt32) throws { usleep(milliseconds * 1000) }

    /// Asks on a thread of its own: a caller that waits for it may hold the last one of a pool.
    static func askInBackground(_ text: String, port: Int) -> BackgroundAnswer {
        let answer = BackgroundAnswer()
        Thread.detachNewThread {
            let client = RawClient(port: port)
            client.send(text)
            answer.come(client.receive())
        }
        return answer
    }
}

extension HTTPServerTests {
    /// A client that has asked, and reads nothing until it is told to.
    final class HeldClient {
        private let client: RawClient

        init(port: Int, _ text: String) {
            client = RawClient(port: port)
            client.send(text)
        }

        func receive() -> String { client.receive() }
    }
}

/// An answer that comes some time.
final class BackgroundAnswer: Sendable {
    private let text = Mutex("")
    private let hasCome = DispatchSemaphore(value: 0)

    func come(_ answer: String) {
        text.withLock { $0 = answer }
        hasCome.signal()
    }

    /// Waits for it, once.
    func wait() -> String {
        hasCome.wait()
        return text.withLock { $0 }
    }
}

/// Clients that stay connected, and have got an answer each unless they are silent.
struct HeldClients: ~Copyable {
    private var clients: [Box] = []

    private final class Box {
        let client: RawClient
        init(port: Int) { client = RawClient(port: port) }
    }

    init(count: Int, port: Int, areSilent: Bool = false) {
        for _ in 0..<count {
            let box = Box(port: port)
            clients.append(box)
            if areSilent { continue }
            box.client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = box.client.receive(until: "]")
        }
    }

    consuming func close() {}
}

/// A request that is wrong, and the status that says so.
struct BadRequest: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let status: Int

    private static let million = String(repeating: "a", count: 1 << 20)

    static let all = [
        BadRequest(
            testDescription: "a body",
            text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
            status: 413),
        BadRequest(
            testDescription: "a body of unknown length",
            text: "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", status: 413),
        BadRequest(testDescription: "no host", text: "GET / HTTP/1.1\r\n\r\n", status: 400),
        BadRequest(
            testDescription: "a path of 1 MB",
            text: "GET /\(million) HTTP/1.1\r\nHost: a\r\n\r\n", status: 414),
        BadRequest(
            testDescription: "a header of 1 MB",
            text: "GET / HTTP/1.1\r\nHost: a\r\nX: \(million)\r\n\r\n", status: 431),
        BadRequest(
            testDescription: "a length that is no number",
            text: "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", status: 400),
    ]
}
