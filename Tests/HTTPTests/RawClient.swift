import CLibrary
import Testing

/// A TCP client that sends exactly the bytes it is told to, right or wrong.
struct RawClient: ~Copyable {
    private let descriptor: Int32

    /// - Parameter address: the client's own, such as 127.0.0.2.
    init(port: Int, from address: String? = nil) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, kind, 0)
        if let address {
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            inet_pton(AF_INET, address, &own.sin_addr)
            withUnsafePointer(to: &own) { own in
                own.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // No test waits longer than this for an answer.
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends; false once the server has hung up.
    @discardableResult
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                CLibrary.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// Whatever arrives until `text` has come, the server hangs up, or patience ends.
    func receive(until text: String? = nil) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, errno == EAGAIN { Issue.record("the server said nothing for long") }
            if count <= 0 { break }
            bytes += chunk[..<count]
            if let text, String(decoding: bytes, as: UTF8.self).contains(text) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Ends the connection with a reset, as a client does that crashes.
    consuming func abort() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &linger,
            socklen_t(MemoryLayout.size(ofValue: linger)))
    }
}
