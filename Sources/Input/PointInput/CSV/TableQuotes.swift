/// What quotes at the start of a table's cells mean.
public enum TableQuotes: String, CaseIterable, Sendable {
    /// They enclose cells; in tables with tabs they are letters if cells show it.
    case auto
    /// They enclose cells (RFC 4180).
    case cells
    /// They are letters like others, as in Darwin Core archives.
    case letters
}

extension CSVParser {
    /// Decides about a cell that begins with a quote; false if the row was rejected.
    ///
    /// What writes tables with tabs either quotes or does not: one cell that shows that quotes are letters decides for
    /// the whole table, which is then read again. In other tables quotes are usual, so that a cell is only noted.
    mutating func checkQuoted(_ outcome: CSVCell.Outcome, from row: Int, _ start: Int) -> Bool {
        switch outcome {
        case .invalidUTF8: return true
        case .read:
            guard holdsRows(start, from: row) else { return true }
            guard layout.quotes == .auto else {
                if builder.options.quotes == .auto {
                    builder.note(
                        "a cell in quotes runs over lines that look like rows; if quotes are letters "
                            + "in this table, --quotes letters reads all rows")
                }
                return true
            }
        case .unclosed, .textBehindQuote: guard layout.quotes == .auto else { return true }
        }
        isDoubtful = true
        return false
    }

    /// Whether most of the lines that a cell runs over are rows by themselves.
    private func holdsRows(_ start: Int, from row: Int) -> Bool {
        guard bytes.contains(0x0A, in: cell.range) else { return false }
        var index = start
        while index > row, bytes[index - 1] != 0x0A { index -= 1 }
        var (lines, rows, delimiters) = (0, 0, 0)
        while true {
            let byte = bytes[index]
            if byte == layout.delimiter { delimiters += 1 }
            if byte == 0x0A || index == bytes.end {
                lines += 1
                if delimiters == layout.names.count - 1 { rows += 1 }
                delimiters = 0
                if index >= cell.range.upperBound { return 2 * rows > lines }
            }
            index += 1
        }
    }
}

extension CSVParser {
    /// What to do about a quote in the wrong place.
    var quoteRemedy: String? {
        builder.options.quotes == .auto
            ? "mend it, or if quotes are letters in this table, read it with --quotes letters; "
                + "--skip-invalid leaves such rows out" : nil
    }
}

extension CSVReader {
    /// Notes that quotes were taken as letters.
    static func noteLetters(_ collector: PointCollector) {
        collector.note(
            "quotes were read as letters, because a cell that begins with one would hold whole rows, or end "
                + "before its text does; --quotes cells reads them as the ends of cells")
    }
}

extension ByteCursor {
    /// Whether one of the first hundred rows has a cell that only what quotes cells writes: with a delimiter or a doubled
    /// quote between quotes in one line, in a row of the right length.
    func showsQuotedCells(_ columns: Int, _ delimiter: UInt8) -> Bool {
        var rows = self
        var cell = CSVCell()
        for _ in 0..<100 where !rows.isAtEnd {
            var (count, isShown) = (0, false)
            repeat {
                let isQuoted = rows.byte == UInt8(ascii: "\"")
                guard case .read = rows.cell(&cell, delimiter: delimiter, hasQuotes: true) else {
                    return false
                }
                count += 1
                let isOneLine = isQuoted && !contains(0x0A, in: cell.range)
                if isOneLine, cell.hasDoubledQuotes || contains(delimiter, in: cell.range) {
                    isShown = true
                }
            } while rows.skipDelimiter(delimiter)
            rows.skipLineEnd()
            if isShown, count == columns { return true }
        }
        return false
    }

    fileprivate func contains(_ byte: UInt8, in range: Range<Int>) -> Bool {
        var cursor = self
        cursor.move(to: range.lowerBound)
        cursor.move(toNext: byte)
        return cursor.offset < range.upperBound
    }
}
