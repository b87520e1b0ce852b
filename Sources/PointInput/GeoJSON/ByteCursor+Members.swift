// The parts of GeoJSON that stand around features.

extension ByteCursor {
    mutating func skipByteOrderMark() {
        if position == 0, self[0] == 0xEF, self[min(1, end)] == 0xBB, self[min(2, end)] == 0xBF {
            advance(by: 3)
        }
    }

    /// Skips what may stand between the texts of a sequence: space, and RS (RFC 8142).
    @inline(__always)
    mutating func skipSeparators() {
        skipSpace()
        while byte == 0x1E {
            advance()
            skipSpace()
        }
    }

    /// Reads a member's name up to its colon.
    mutating func memberName() throws(JSONFault) -> String {
        let name = try text()
        skipSpace()
        try expect(":")
        skipSpace()
        return name
    }

    /// Reads a string.
    mutating func text() throws(JSONFault) -> String {
        skipSpace()
        let (range, hasEscapes) = try string()
        guard hasEscapes else { return String(copying: span(range)) }
        var bytes: [UInt8] = []
        unescaped(range, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
