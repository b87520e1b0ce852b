import Points

/// What is done with the cells of a column, as long as they look as they should.
struct CSVPlan {
    enum Action { case x, y, number, text, bool, pass, closerLook }
    var action: Action
    /// The key of the attribute.
    var key: AttributeKey
}

/// A row while its cells go straight from the text into packed attributes.
///
/// Each step answers false where a cell needs a closer look; then the row starts again elsewhere.
/// Everything here is inlined into one loop over the columns, so that its state is in registers.
struct CSVPlainRow {
    var bytes: ByteCursor
    var writer: RecordWriter
    let delimiter: UInt8
    private(set) var x = 0.0
    private(set) var y = 0.0

    @inline(__always)
    init(_ bytes: ByteCursor, _ writer: RecordWriter, delimiter: UInt8) {
        self.bytes = bytes
        self.writer = writer
        self.delimiter = delimiter
    }

    /// Whether the cell at hand has nothing in it.
    @inline(__always)
    var isAtCellEnd: Bool { isCellEnd(bytes) }

    /// A carriage return counts as an end only in front of a newline.
    @inline(__always)
    private func isCellEnd(_ bytes: ByteCursor) -> Bool {
        let byte = bytes.byte
        if byte == delimiter || byte == 0x0A { return true }
        return byte == 0x0D ? bytes[bytes.position + 1] == 0x0A : byte == 0 && bytes.isAtEnd
    }

    @inline(__always)
    mutating func skipDelimiter() -> Bool {
        guard bytes.byte == delimiter else { return false }
        bytes.pass()
        return true
    }

    @inline(__always)
    mutating func skipLineEnd() -> Bool {
        if bytes.byte == 0x0D { bytes.pass() }
        if bytes.byte == 0x0A {
            bytes.pass()
            return true
        }
        return bytes.isAtEnd
    }

    /// Reads a number, be it a coordinate or an attribute.
    @inline(__always)
    mutating func readNumber(_ plan: CSVPlan) -> Bool {
        var after = bytes
        guard let number = after.number(), isCellEnd(after) else {
            return plan.action == .number && isAtCellEnd
        }
        switch plan.action {
        case .x: x = after.double(of: number)
        case .y: y = after.double(of: number)
        default: guard write(number, plan.key, after) else { return false }
        }
        bytes = after
        return true
    }

    @inline(__always)
    private mutating func write(
        _ number: NumberText, _ key: AttributeKey, _ bytes: ByteCursor
    ) -> Bool {
        guard writer.room >= RecordWriter.longestNumber else { return false }
        if number.isWhole {
            guard number.isExact else { return false }
            if !number.isNegative {
                writer.append(key, unsigned: number.digits)
                return true
            }
            guard number.digits < 1 << 63 else { return false }
            writer.append(key, integer: 0 &- Int64(number.digits))
        } else {
            let value = bytes.double(of: number)
            guard value.magnitude < .infinity else { return false }
            writer.append(key, number: value)
        }
        return true
    }

    /// Reads a truth value.
    @inline(__always)
    mutating func readBool(_ key: AttributeKey) -> Bool {
        if isAtCellEnd { return true }
        guard let (isTrue, count) = Self.bool(bytes.word()) else { return false }
        var after = bytes
        after.pass(count)
        guard isCellEnd(after), writer.room >= RecordWriter.longestNumber else { return false }
        writer.append(key, bool: isTrue)
        bytes = after
        return true
    }

    /// What the first bytes spell, and how many of them.
    @inline(__always)
    private static func bool(_ word: UInt64) -> (Bool, count: Int)? {
        switch word & 0xFFFF_FFFF {
        case 0x6575_7274, 0x6575_7254, 0x4555_5254: return (true, 4)  // true, True, TRUE
        default: break
        }
        switch word & 0xFF_FFFF_FFFF {
        case 0x65_736C_6166, 0x65_736C_6146, 0x45_534C_4146: return (false, 5)
        default: return nil
        }
    }
}

// MARK: - Texts

extension CSVPlainRow {
    /// Copies a text while its end is searched; an empty one is no attribute.
    @inline(__always)
    mutating func readText(_ key: AttributeKey) -> Bool {
        let isQuoted = bytes.byte == UInt8(ascii: "\"")
        if !isQuoted, isAtCellEnd { return true }
        let before = writer
        guard writer.beginText(key) else { return false }
        if isQuoted { bytes.pass() }
        let start = bytes.position
        guard isQuoted ? copyQuoted(from: start) : copyBare(from: start) else { return false }
        let count = bytes.position - start
        if isQuoted { bytes.pass() }
        guard isAtCellEnd else { return false }
        guard count > 0 else {
            writer = before
            return true
        }
        return writer.endText(count: count)
    }

    /// Copies up to what may end a cell; false where the text is no UTF-8 or too long for this.
    @inline(__always)
    private mutating func copyBare(from start: Int) -> Bool {
        var high: UInt64 = 0
        while true {
            let word = bytes.word()
            guard writer.store(word, at: bytes.position - start) else { return false }
            // Control characters: newlines, the zero at the end, and others for a closer look.
            let found = WordMask.of(delimiter, in: word) | WordMask.below(0x20, in: word)
            guard found != 0 else {
                high |= word
                bytes.pass(8)
                continue
            }
            high |= word & (found & (0 &- found) &- 1)
            bytes.pass(WordMask.firstIndex(found))
            return high & WordMask.tops == 0 || bytes.isUTF8(start..<bytes.position)
        }
    }

    /// Copies up to a quote.
    @inline(__always)
    private mutating func copyQuoted(from start: Int) -> Bool {
        var high: UInt64 = 0
        while true {
            let word = bytes.word()
            guard writer.store(word, at: bytes.position - start) else { return false }
            let found = WordMask.of(UInt8(ascii: "\""), in: word) | WordMask.of(0, in: word)
            guard found != 0 else {
                high |= word
                bytes.pass(8)
                continue
            }
            high |= word & (found & (0 &- found) &- 1)
            bytes.pass(WordMask.firstIndex(found))
            guard bytes.byte == UInt8(ascii: "\"") else { return false }
            return high & WordMask.tops == 0 || bytes.isUTF8(start..<bytes.position)
        }
    }

    /// Goes over a cell that isn't kept.
    @inline(__always)
    mutating func passCell() -> Bool {
        guard bytes.byte != UInt8(ascii: "\"") else { return false }
        let start = bytes.position
        var high: UInt64 = 0
        while true {
            let word = bytes.word()
            let found = WordMask.of(delimiter, in: word) | WordMask.below(0x20, in: word)
            guard found != 0 else {
                high |= word
                bytes.pass(8)
                continue
            }
            high |= word & (found & (0 &- found) &- 1)
            bytes.pass(WordMask.firstIndex(found))
            guard isAtCellEnd else { return false }
            return high & WordMask.tops == 0 || bytes.isUTF8(start..<bytes.position)
        }
    }
}
