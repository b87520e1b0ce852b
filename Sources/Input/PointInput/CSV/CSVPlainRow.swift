import Points

/// How the cells of a column are processed if they have its kind.
struct CSVPlan {
    enum Action { case x, y, number, text, bool, pass, closerLook }
    var action: Action
    /// The key of the attribute.
    var key: AttributeKey
}

/// A row during the fast copy of its cells from text to packed attributes.
///
/// Each step takes an index in the text and returns the index after its cell, or `closerLook` if the cell
/// does not have its column's kind; then `parseRow` reads the row from its start. The index is passed from
/// step to step in a register: as a stored property it would cost a tenth of the time.
struct CSVPlainRow {
    static let closerLook = -1

    private let bytes: ByteCursor
    var writer: RecordWriter
    let delimiter: UInt8
    private let hasQuotes: Bool
    private(set) var x = 0.0
    private(set) var y = 0.0

    @inline(__always)
    init(_ bytes: ByteCursor, _ writer: RecordWriter, delimiter: UInt8, hasQuotes: Bool) {
        self.bytes = bytes
        self.writer = writer
        self.delimiter = delimiter
        self.hasQuotes = hasQuotes
    }

    /// Whether a cell ends there. A carriage return ends one only before a newline.
    @inline(__always)
    func isCellEnd(_ index: Int) -> Bool {
        let byte = bytes.byte(at: index)
        if byte == delimiter || byte == 0x0A { return true }
        return byte == 0x0D
            ? bytes.byte(at: index &+ 1) == 0x0A : byte == 0 && index == bytes.end
    }

    /// The index after the delimiter that must come first.
    @inline(__always)
    func skipDelimiter(_ index: Int) -> Int {
        bytes.byte(at: index) == delimiter ? index &+ 1 : Self.closerLook
    }

    /// The index after the end of the line, where a cell ends.
    @inline(__always)
    func skipLineEnd(_ index: Int) -> Int {
        let index = bytes.byte(at: index) == 0x0D ? index &+ 1 : index
        if bytes.byte(at: index) == 0x0A { return index &+ 1 }
        return index == bytes.end ? index : Self.closerLook
    }

    @inline(__always)
    func skipBlank(_ index: Int) -> Int { isCellEnd(index) ? index : Self.closerLook }

    /// Reads a number, for a coordinate or an attribute.
    mutating func readNumber(_ plan: CSVPlan, _ index: Int) -> Int {
        guard let number = bytes.shortNumber(at: index),
            case let end = number.range.upperBound, isCellEnd(end)
        else { return plan.action == .number ? skipBlank(index) : Self.closerLook }
        if number.isWhole, plan.action == .number {
            return write(number, plan.key) ? end : Self.closerLook
        }
        guard let value = number.quickDouble else { return Self.closerLook }
        switch plan.action {
        case .x: x = value
        case .y: y = value
        default:
            guard writer.room >= RecordWriter.longestNumber else { return Self.closerLook }
            writer.append(plan.key, number: value)
        }
        return end
    }

    @inline(__always)
    private mutating func write(_ number: NumberText, _ key: AttributeKey) -> Bool {
        guard writer.room >= RecordWriter.longestNumber else { return false }
        if number.isNegative {
            // Fifteen digits fit.
            writer.append(key, integer: 0 &- Int64(truncatingIfNeeded: number.digits))
        } else {
            writer.append(key, unsigned: number.digits)
        }
        return true
    }

    /// Reads a truth value.
    mutating func readBool(_ key: AttributeKey, _ index: Int) -> Int {
        guard let (isTrue, count) = Self.bool(bytes.word(at: index)) else {
            return skipBlank(index)
        }
        guard isCellEnd(index + count), writer.room >= RecordWriter.longestNumber
        else { return Self.closerLook }
        writer.append(key, bool: isTrue)
        return index + count
    }

    /// The truth value in the first bytes, and its length.
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
    /// Copies a text while searching for its end; an empty one is not an attribute.
    mutating func readText(_ key: AttributeKey, _ index: Int) -> Int {
        let isQuoted = bytes.byte(at: index) == UInt8(ascii: "\"") && hasQuotes
        if !isQuoted, isCellEnd(index) { return index }
        let before = writer
        guard writer.beginText(key) else { return Self.closerLook }
        let start = isQuoted ? index &+ 1 : index
        let end = isQuoted ? copyQuoted(from: start) : copyBare(from: start)
        let next = isQuoted ? end &+ 1 : end
        guard end >= start, isCellEnd(next) else { return Self.closerLook }
        guard end > start else {
            writer = before
            return next
        }
        return writer.endText(count: end &- start) ? next : Self.closerLook
    }

    /// Copies up to a byte that may end a cell, and returns its index; `closerLook` if the text is
    /// not UTF-8 or too long for this.
    @inline(__always)
    private func copyBare(from start: Int) -> Int {
        var index = start
        var high: UInt64 = 0
        while true {
            let word = bytes.word(at: index)
            guard writer.store(word, at: index &- start) else { return Self.closerLook }
            // Control characters: newlines, the zero at the end, and others, which `parseRow` handles.
            let found = WordMask.of(delimiter, in: word) | WordMask.below(0x20, in: word)
            if found != 0 { return end(in: word, found, high, start, index) }
            high |= word
            index &+= 8
        }
    }

    /// Copies up to a quote and returns its index, or `closerLook`.
    @inline(__always)
    private func copyQuoted(from start: Int) -> Int {
        var index = start
        var high: UInt64 = 0
        while true {
            let word = bytes.word(at: index)
            guard writer.store(word, at: index &- start) else { return Self.closerLook }
            // A cell that runs over a line gets a closer look.
            let found =
                WordMask.of(UInt8(ascii: "\""), in: word) | WordMask.of(0x0A, in: word)
                | WordMask.of(0, in: word)
            guard found == 0 else {
                let end = end(in: word, found, high, start, index)
                guard end >= 0, bytes.byte(at: end) == UInt8(ascii: "\"") else {
                    return Self.closerLook
                }
                return end
            }
            high |= word
            index &+= 8
        }
    }

    /// Skips a cell that is not kept.
    func passCell(_ start: Int) -> Int {
        guard bytes.byte(at: start) != UInt8(ascii: "\"") || !hasQuotes else {
            return Self.closerLook
        }
        var index = start
        var high: UInt64 = 0
        while true {
            let word = bytes.word(at: index)
            let found = WordMask.of(delimiter, in: word) | WordMask.below(0x20, in: word)
            guard found == 0 else {
                let end = end(in: word, found, high, start, index)
                return end >= 0 && isCellEnd(end) ? end : Self.closerLook
            }
            high |= word
            index &+= 8
        }
    }

    /// The index of a text's end in its last word, if the text is UTF-8.
    @inline(__always)
    private func end(
        in word: UInt64, _ found: UInt64, _ high: UInt64, _ start: Int, _ index: Int
    ) -> Int {
        let end = index &+ WordMask.firstIndex(found)
        let before = word & (found & (0 &- found) &- 1)
        guard (high | before) & WordMask.tops != 0 else { return end }
        return bytes.isUTF8(start..<end) ? end : Self.closerLook
    }
}
