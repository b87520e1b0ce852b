import CMicrohttpd
import CLibrary

/// A TCP socket that waits for connections, for somebody who will close it.
struct ListeningSocket {
    let descriptor: Int32
    /// The port it got, which differs from the one asked for when that was 0.
    let port: Int

    /// Listens at the first address that the host's name gives.
    init(host: String, port: Int) throws(HTTPError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_PASSIVE
        #if canImport(Glibc)
            unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, "\(port)", &hints, &found) == 0, let first = unsafe found
        else { throw .unknownHost(host) }
        defer { unsafe freeaddrinfo(first) }
        let descriptor = unsafe socket(
            first.pointee.ai_family, first.pointee.ai_socktype, first.pointee.ai_protocol)
        guard descriptor >= 0,
            unsafe Self.listen(descriptor, at: first.pointee), let bound = Self.port(of: descriptor)
        else {
            let code = errno
            if descriptor >= 0 { close(descriptor) }
            throw .cannotListen(host: host, port: port, code: code)
        }
        self.descriptor = descriptor
        self.port = bound
    }

    private static func listen(_ descriptor: Int32, at address: addrinfo) -> Bool {
        var yes: Int32 = 1
        // A server that is started anew need not wait for its old connections to fade.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        guard unsafe bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            return false
        }
        let flags = fcntl(descriptor, F_GETFL)
        guard fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else { return false }
        // Many clients may connect at once; the kernel caps this at its own limit.
        return CLibrary.listen(descriptor, 4096) == 0
    }

    private static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                let code = unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getsockname(descriptor, $0, &length)
                }
                // The port stands at the same offset for IPv4 and IPv6.
                return code == 0 ? Int(UInt16(bigEndian: unsafe address.pointee.sin6_port)) : nil
            }
        }
    }
}
