// Values that mean none, such as `NA`.

extension CSVParser {
    /// Whether the cell has one of them.
    var isNoData: Bool {
        guard hasNoData else { return false }
        let text = String(decoding: cell.text(bytes), as: UTF8.self)
        return builder.options.noData.contains(text.trimmingSpaces)
            || builder.options.noData.contains(text)
    }
}

extension CSVReader {
    /// Notes the columns of texts whose first cells are numbers, or true and false, and else one text that usually
    /// means no value or is rare, or that begin with many such cells: one odd cell makes all of a column texts.
    static func noteMarkers(
        _ kinds: CSVKinds, _ parser: CSVParser, _ start: ByteCursor, _ collector: PointCollector
    ) {
        let layout = parser.layout
        var columns = layout.names.indices.filter { column in
            let attribute = parser.attributes[column]
            return layout.roles[column] == .attribute && kinds[column] == .text
                && !parser.builder.isIgnored(attribute) && !parser.builder.isConverted(attribute)
        }
        var found: [Int: FirstCells] = [:]
        var rows = start
        for row in 1...1_000 where !rows.isAtEnd && !columns.isEmpty {
            let cells = rows.row(layout.delimiter, hasQuotes: layout.quotes != .letters)
            guard let cells else { break }
            for column in columns where column < cells.count {
                let text = NumberText.tidy(cells[column])
                guard !text.isEmpty, !collector.options.noData.contains(text) else { continue }
                found[column, default: FirstCells()].take(text, row)
            }
            // Most columns of texts have several different ones in their first rows.
            columns.removeAll { found[$0]?.isMixed ?? false }
        }
        for column in columns {
            guard let note = found[column]?.note(on: layout.names[column]) else { continue }
            collector.note(note)
        }
    }

    /// What the first cells of a column are.
    private struct FirstCells {
        private var numbers = 0
        private var bools = 0
        /// The texts among them, each with its first row.
        private var odd: [(text: String, row: Int)] = []
        private var oddCount = 0
        private(set) var isMixed = false
        /// What usually means no value, in lower case. Infinite numbers are none in binary formats either.
        private static let usual: Set<String> = [
            "na", "n/a", "#n/a", "nan", "inf", "-inf", "infinity", "-infinity", "null", "none",
            "nil", "-", "--", ".", "?", "\\n",
            "missing", "unknown",
        ]

        mutating func take(_ text: String, _ row: Int) {
            if NumberText.value(of: text) != nil {
                numbers += 1
            } else if ["true", "false"].contains(text.lowercased()) {
                bools += 1
            } else {
                takeOdd(text, row)
            }
            if numbers > 0, bools > 0 { isMixed = true }
        }

        private mutating func takeOdd(_ text: String, _ row: Int) {
            oddCount += 1
            if !odd.contains(where: { $0.text == text }) { odd.append((text, row)) }
            if odd.count > 1 && !isUsual || text.utf8.contains(where: { 0x30...0x39 ~= $0 }) {
                isMixed = true
            }
        }

        private var isUsual: Bool { odd.allSatisfy { Self.usual.contains($0.text.lowercased()) } }

        func note(on name: String) -> String? {
            let count = numbers + bools
            let (kind, type) = bools > 0 ? ("true or false", "bool") : ("numbers", "number")
            guard !odd.isEmpty else {
                return count < 100
                    ? nil
                    : "\(name) is text, though its first \(count) values are \(kind); --type \(name):\(type) "
                        + "finds the value that is none, and --nodata VALUE leaves such values out"
            }
            guard !isMixed, isUsual && count > 0 || count >= 19 * oddCount else { return nil }
            let places = odd.map { "\(Snippet.of($0.text)) in row \($0.row)" }
            let options = odd.map { text, _ in
                let isPlain = text.allSatisfy { $0.isASCII && $0.isLetter }
                return "--nodata=\(isPlain ? text : "'\(text)'")"
            }
            return "\(name) is text because of \(places.dropLast().joined(separator: ", "))"
                + (places.count > 1 ? " and " : "") + "\(places[places.count - 1]); "
                + "\(options.joined(separator: " ")) reads such cells as blank"
        }
    }
}
