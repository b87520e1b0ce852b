import CLibrary

extension IPAddress {
    /// The IPv4 addresses under which other machines may reach this one, without the loopback.
    public static var ofThisMachine: [IPAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var found: [IPAddress] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            unsafe next = entry.ifa_next
            let flags = unsafe Int32(truncatingIfNeeded: entry.ifa_flags)
            guard flags & Int32(IFF_UP.rawBits) != 0, flags & Int32(IFF_LOOPBACK.rawBits) == 0,
                let socket = unsafe entry.ifa_addr,
                Int32(unsafe socket.pointee.sa_family) == AF_INET
            else { continue }
            found.append(unsafe IPAddress(of: socket))
        }
        return found
    }
}

// One system's headers declare the flags as a C enum, the other's as plain numbers.
extension FixedWidthInteger {
    fileprivate var rawBits: Int { Int(self) }
}

extension RawRepresentable where RawValue: FixedWidthInteger {
    fileprivate var rawBits: Int { Int(rawValue) }
}
