/// Cuts a table between rows: at newlines outside of quoted cells.
struct CSVCutter: PieceCutter {
    let layout: CSVLayout
    private var isAtStart = true

    init(layout: CSVLayout) { self.layout = layout }

    mutating func cut(_ bytes: ByteCursor, isLast: Bool) throws(InputError) -> Cut<Void> {
        let start = isAtStart ? layout.start : 0
        guard start < bytes.end else { return isLast ? .done : .needsMore }
        var rows = bytes
        rows.move(to: start)
        guard let end = isLast ? bytes.end : endOfLastRow(rows) else { return .needsMore }
        isAtStart = false
        return .piece(start..<end, ())
    }

    /// Moves from quoted cell to quoted cell, and remembers the last newline between them.
    private func endOfLastRow(_ bytes: ByteCursor) -> Int? {
        var bytes = bytes
        if layout.quotes == .letters {
            return bytes.lastNewline(in: bytes.offset..<bytes.end).map { $0 + 1 }
        }
        var outside = bytes.offset
        var found: Int?
        while true {
            bytes.skipToQuote()
            if !bytes.isAtEnd, !opensCell(bytes) {
                // A quote within an unquoted cell is an ordinary character.
                bytes.advance()
                continue
            }
            if let newline = bytes.lastNewline(in: outside..<bytes.offset) { found = newline + 1 }
            guard !bytes.isAtEnd else { return found }
            repeat {
                bytes.advance()
                bytes.skipToQuote()
                guard !bytes.isAtEnd else { return found }
                bytes.advance()
            } while bytes.byte == UInt8(ascii: "\"")
            outside = bytes.offset
        }
    }

    private func opensCell(_ bytes: ByteCursor) -> Bool {
        guard bytes.offset > 0, bytes.offset != layout.start || !isAtStart else { return true }
        let before = bytes[bytes.offset - 1]
        return before == layout.delimiter || before == 0x0A
    }
}

extension ByteCursor {
    fileprivate func lastNewline(in range: Range<Int>) -> Int? {
        var index = range.upperBound
        while index > range.lowerBound {
            index -= 1
            if self[index] == 0x0A { return index }
        }
        return nil
    }
}
