/// A cell that was read: the range of its text, and whether its quotes are doubled.
struct CSVCell {
    /// The text, without enclosing quotes.
    var range = 0..<0
    /// Whether quotes in the text are doubled.
    var hasDoubledQuotes = false

    /// The result of reading a cell.
    enum Outcome { case read, unclosed, textBehindQuote, invalidUTF8 }

    /// The text with doubled quotes replaced by single ones.
    func text(_ bytes: ByteCursor) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            text.append(bytes[index])
            index += hasDoubledQuotes && bytes[index] == UInt8(ascii: "\"") ? 2 : 1
        }
        return text
    }
}

extension ByteCursor {
    /// Reads a cell (RFC 4180 section 2) up to the delimiter or the end of the line.
    @inline(__always)
    mutating func cell(
        _ cell: inout CSVCell, delimiter: UInt8, hasQuotes: Bool
    ) -> CSVCell.Outcome {
        guard byte != UInt8(ascii: "\"") || !hasQuotes else {
            return quotedCell(&cell, delimiter: delimiter)
        }
        let start = offset
        var high: UInt64 = 0
        while true {
            let word = word()
            let found =
                WordMask.of(delimiter, in: word) | WordMask.of(0x0A, in: word)
                | WordMask.of(0x0D, in: word) | WordMask.of(0, in: word)
            let step = found == 0 ? 8 : WordMask.firstIndex(found)
            // Only bytes before the end of the cell count.
            high |= word & WordMask.tops & (step == 8 ? ~0 : (1 << UInt64(8 * step)) - 1)
            pass(step)
            if found == 0 { continue }
            if byte == delimiter || isAtLineEnd { break }
            advance()
        }
        cell.range = start..<offset
        cell.hasDoubledQuotes = false
        return high == 0 || isUTF8(cell.range) ? .read : .invalidUTF8
    }

    private mutating func quotedCell(
        _ cell: inout CSVCell, delimiter: UInt8
    ) -> CSVCell.Outcome {
        advance()
        let start = offset
        cell.hasDoubledQuotes = false
        while true {
            skipToQuote()
            guard !isAtEnd else { return .unclosed }
            advance()
            guard byte == UInt8(ascii: "\"") else { break }
            cell.hasDoubledQuotes = true
            advance()
        }
        cell.range = start..<offset - 1
        guard byte == delimiter || isAtLineEnd else { return .textBehindQuote }
        return isUTF8(cell.range) ? .read : .invalidUTF8
    }

    /// Moves to the next quote or to the end.
    mutating func skipToQuote() { move(toNext: UInt8(ascii: "\"")) }

    func isUTF8(_ range: Range<Int>) -> Bool { span(range).isUTF8 }

    @inline(__always)
    mutating func skipDelimiter(_ delimiter: UInt8) -> Bool {
        guard byte == delimiter else { return false }
        pass()
        return true
    }

    /// Whether a line ends here. A carriage return ends one only before a newline or at the end.
    @inline(__always)
    var isAtLineEnd: Bool {
        isAtEnd || byte == 0x0A
            || (byte == 0x0D && (offset + 1 == end || self[offset + 1] == 0x0A))
    }

    mutating func skipLineEnd() {
        if byte == 0x0D { pass() }
        if byte == 0x0A { pass() }
    }
}
