/// Makes a gzip member longer without changing its contents, so that the bytes after it in a file begin where
/// they should.
package enum GzipPadding {
    /// The member with `count` more bytes in its header.
    ///
    /// An extra field (RFC 1952, 2.3.1.1) has a head of six bytes; fewer bytes are a comment.
    package static func lengthened(_ member: [UInt8], by count: Int) -> [UInt8] {
        guard count > 0 else { return member }
        var padded = Array(member[..<10])
        if count < fieldHead {
            padded[3] |= 1 << 4
            padded += [UInt8](repeating: UInt8(ascii: " "), count: count - 1) + [0]
        } else {
            padded[3] |= 1 << 2
            padded += little(count - 2) + Array("Cp".utf8) + little(count - fieldHead)
            padded += [UInt8](repeating: 0, count: count - fieldHead)
        }
        return padded + member[10...]
    }

    private static let fieldHead = 6

    private static func little(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
}
