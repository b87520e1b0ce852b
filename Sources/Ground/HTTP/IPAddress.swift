import CMicrohttpd
import CLibrary

/// An IPv4 or IPv6 address; IPv4 is kept as a mapped IPv6 address (RFC 4291, 2.5.5.2).
public struct IPAddress: Hashable, Sendable {
    /// The 16 bytes, most significant first.
    let high: UInt64
    let low: UInt64

    private static let mappedIPv4: UInt64 = 0xFFFF_0000_0000

    public static let loopback = IPAddress(v4: 0x7F00_0001)

    init(v4 bits: UInt32) {
        high = 0
        low = Self.mappedIPv4 | UInt64(bits)
    }

    init(_ address: in6_addr) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        unsafe withUnsafeBytes(of: address) { bytes in
            high = unsafe bytes.loadUnaligned(as: UInt64.self).bigEndian
            low = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
        }
        self.high = high
        self.low = low
    }

    /// The peer's address of a socket; the loopback if it has none (a local socket).
    package init(of socket: UnsafePointer<sockaddr>?) {
        guard let socket = unsafe socket else {
            self = .loopback
            return
        }
        switch Int32(unsafe socket.pointee.sa_family) {
        case AF_INET:
            self = unsafe socket.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                IPAddress(v4: UInt32(bigEndian: unsafe $0.pointee.sin_addr.s_addr))
            }
        case AF_INET6:
            self = unsafe socket.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                IPAddress(unsafe $0.pointee.sin6_addr)
            }
        default: self = .loopback
        }
    }

    /// Reads `10.0.0.7` or `2001:db8::7`.
    public init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if unsafe inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
        } else if unsafe inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    var isIPv4: Bool { high == 0 && low >> 32 == Self.mappedIPv4 >> 32 }
}

extension IPAddress: CustomStringConvertible {
    public var description: String {
        if isIPv4 {
            return [24, 16, 8, 0].map { "\(low >> UInt64($0) & 255)" }.joined(separator: ".")
        }
        let groups = [high, low].flatMap { half in
            [48, 32, 16, 0].map { String(half >> UInt64($0) & 0xFFFF, radix: 16) }
        }
        return groups.joined(separator: ":")
    }
}

/// All addresses that share a prefix: `10.0.0.0/8`, or a single `10.0.0.7`.
public struct AddressBlock: Hashable, Sendable {
    let first: IPAddress
    /// The length of the prefix in bits, of 128.
    let bits: Int

    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = IPAddress(String(parts[0])) else { return nil }
        let width = first.isIPv4 ? 32 : 128
        guard let bits = parts.count == 1 ? width : Int(parts[1]), (0...width).contains(bits)
        else { return nil }
        self.first = first
        self.bits = bits + 128 - width
    }

    public func contains(_ address: IPAddress) -> Bool {
        // A shift by all 64 bits leaves nothing to compare.
        let highShift = UInt64(64 - min(bits, 64))
        let lowShift = UInt64(128 - max(bits, 64))
        return (address.high ^ first.high) >> highShift == 0
            && (address.low ^ first.low) >> lowShift == 0
    }
}
