import CMicrohttpd
import CLibrary

/// A TCP socket for a server, which makes it listen and closes it.
public struct ListeningSocket: Sendable {
    let descriptor: Int32
    private let host: String
    /// The port of the socket; it differs from the requested one if that was 0.
    public let port: Int

    /// Makes a socket at the first address of the host's name. Clients cannot connect before a
    /// server has started.
    public init(host: String, port: Int) throws(HTTPError) {
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
            unsafe Self.bind(descriptor, to: first.pointee), let bound = Self.port(of: descriptor)
        else {
            let code = errno
            if descriptor >= 0 { close(descriptor) }
            throw .cannotListen(host: host, port: port, code: code)
        }
        self.descriptor = descriptor
        self.host = host
        self.port = bound
    }

    /// Lets clients connect; the kernel caps the queue at its own limit.
    func listen() throws(HTTPError) {
        guard CLibrary.listen(descriptor, 4096) == 0 else {
            let code = errno
            close(descriptor)
            throw .cannotListen(host: host, port: port, code: code)
        }
    }

    private static func bind(_ descriptor: Int32, to address: addrinfo) -> Bool {
        var yes: Int32 = 1
        // A restarted server need not wait until its old connections have expired.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        guard unsafe CLibrary.bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            return false
        }
        let flags = fcntl(descriptor, F_GETFL)
        return fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
    }

    private static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                let code = unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getsockname(descriptor, $0, &length)
                }
                // The port has the same offset for IPv4 and IPv6.
                return code == 0 ? Int(UInt16(bigEndian: unsafe address.pointee.sin6_port)) : nil
            }
        }
    }
}
