/// A cursor over the fields of a message within a tile; every read is bounds-checked.
struct WireReader: ~Escapable {
    struct Tag {
        var field: UInt64
        var kind: Wire.Kind
        /// Where the tag begins.
        var offset: Int

        /// The tag as it is written, to be compared with the constants of `Wire`.
        var integer: UInt64 { field << 3 | UInt64(kind.rawValue) }
    }

    /// The most bytes of a tag or a length. They have 32 bits, and protobuf-c accepts no longer encoding of them.
    private static let mostBytesOf32Bits = 5

    let bytes: Span<UInt8>
    private(set) var offset: Int
    let end: Int
    /// What is being read, for errors; -1 is none.
    var layer = -1
    var feature = -1

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
    }

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, in range: Range<Int>, layer: Int, feature: Int = -1) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
        self.layer = layer
        self.feature = feature
    }

    var isAtEnd: Bool { offset >= end }

    func error(_ rule: TileRule, at offset: Int? = nil) -> TileError {
        .broken(rule, location(at: offset ?? self.offset))
    }

    func location(at offset: Int) -> TileLocation {
        TileLocation(
            offset: offset, layer: layer < 0 ? nil : layer, feature: feature < 0 ? nil : feature)
    }

    @inline(__always)
    mutating func varint() throws(TileError) -> UInt64 {
        guard offset < end else { throw error(.truncated) }
        let byte = bytes[offset]
        if byte < 0x80 {
            offset += 1
            return UInt64(byte)
        }
        return try longVarint()
    }

    private mutating func longVarint() throws(TileError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        var next = offset
        while shift < 70 {
            guard next < end else { throw error(.truncated) }
            let byte = bytes[next]
            next += 1
            // Bits past the 64th are dropped, as in every reader of protocol buffers.
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                offset = next
                return value
            }
            shift += 7
        }
        throw error(.badVarint)
    }

    mutating func tag() throws(TileError) -> Tag {
        let start = offset
        let integer = try varint()
        // A field number has at most 29 bits.
        guard let kind = Wire.Kind(ofTag: integer), integer >> 3 > 0,
            integer < 1 << 32, offset - start <= Self.mostBytesOf32Bits
        else { throw error(.badFieldTag, at: start) }
        return Tag(field: integer >> 3, kind: kind, offset: start)
    }

    /// The range of a length-delimited field's payload.
    mutating func payload() throws(TileError) -> Range<Int> {
        let start = offset
        let length = try varint()
        guard offset - start <= Self.mostBytesOf32Bits else { throw error(.badVarint, at: start) }
        guard length <= UInt64(end - offset) else {
            throw error(.truncated, at: start)
        }
        let range = offset..<offset + Int(length)
        offset = range.upperBound
        return range
    }

    mutating func skip(_ kind: Wire.Kind) throws(TileError) {
        switch kind {
        case .varint: _ = try varint()
        case .bytes: _ = try payload()
        case .fixed64: try skip(bytes: 8)
        case .fixed32: try skip(bytes: 4)
        }
    }

    /// A number of a value that was checked when its layer was opened.
    mutating func fixed(bytes count: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
        offset += count
        return value
    }

    /// Skips a packed field and returns how many varints it holds.
    static func countVarints(
        in range: Range<Int>, of reader: borrowing WireReader
    ) throws(TileError) -> Int {
        var count = 0
        var continued = 0
        for offset in range {
            if reader.bytes[offset] < 0x80 {
                count += 1
                continued = 0
            } else {
                continued += 1
                guard continued < 10 else { throw reader.error(.badVarint, at: offset) }
            }
        }
        guard continued == 0 else { throw reader.error(.truncated, at: range.upperBound) }
        return count
    }

    private mutating func skip(bytes count: Int) throws(TileError) {
        guard end - offset >= count else { throw error(.truncated) }
        offset += count
    }
}
