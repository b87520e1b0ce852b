// What the cells of attributes look like: above all numbers, whose dots and commas may mean two things.

extension CSVParser {
    private static let dot = UInt8(ascii: ".")
    private static let comma = UInt8(ascii: ",")

    /// The cell without what programs put around numbers.
    var tidyCell: String { NumberText.tidy(String(copying: bytes.span(cell.range))) }

    /// The cell as a number, if all of it is one that can be held.
    var wholeCellNumber: NumberText? {
        var cursor = bytes
        cursor.move(to: cell.range.lowerBound)
        guard let number = cursor.number(), cursor.offset == cell.range.upperBound,
            cursor.holds(number)
        else { return nil }
        return number
    }

    /// What a tidy cell looks like.
    /// - Parameter number: the number that the cell is as it stands.
    func look(of text: String, _ number: NumberText?) -> CSVKinds.Cells {
        if let number, number.isWhole || !kinds.hasDecimalCommas { return .number }
        if number != nil
            || (text.utf8.count != cell.range.count && NumberText.value(of: text) != nil)
        {
            guard kinds.hasDecimalCommas, text.utf8.contains(Self.dot) else { return .number }
            return Self.groupCount(text, Self.dot) == 1 ? .grouped : .decimal
        }
        if isCommaNumber(text) { return .comma }
        if kinds.hasDecimalCommas, Self.groupCount(text, Self.dot) > 1 { return .groups }
        switch text {
        case "true", "false", "True", "False", "TRUE", "FALSE": return .bool
        default: return .text
        }
    }

    /// Whether the text is a number with a decimal comma: in a table that uses commas for nothing else.
    private func isCommaNumber(_ text: String) -> Bool {
        guard layout.delimiter != Self.comma, text.utf8.count <= 40 else { return false }
        let digits = text.utf8.dropFirst(text.utf8.first == UInt8(ascii: "-") ? 1 : 0)
        guard let comma = digits.firstIndex(of: Self.comma) else { return false }
        let (whole, part) = (digits[..<comma], digits[comma...].dropFirst())
        let isCode = whole.count > 1 && whole.first == UInt8(ascii: "0")
        return !isCode
            && [whole, part].allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
    }

    /// Whether the text has a decimal comma, and not one that may group thousands.
    func isSurelyDecimal(_ text: String) -> Bool {
        isCommaNumber(text) && Self.groupCount(text, Self.comma) == 0
    }

    /// The cell of a column that the options want as numbers, if it has a decimal comma.
    func commaNumber(for attribute: InputAttribute) -> Double? {
        guard [.number, .integer].contains(builder.plans[attribute.index].kind) else { return nil }
        let text = tidyCell
        guard kinds.hasDecimalCommas ? isCommaNumber(text) : isSurelyDecimal(text) else {
            return nil
        }
        return CoordinateText.decimalComma(text)
    }

    /// A coordinate with spaces around it, a plus sign, or in quotes.
    mutating func looseCoordinate(_ name: String) -> Double? {
        let text = String(decoding: cell.text(bytes), as: UTF8.self).trimmingSpaces
        if text.isEmpty { return nil }
        func note(_ problem: String) {
            coordinates.fault = coordinates.fault ?? (.badCoordinates, problem)
        }
        if let number = CoordinateText.value(text, isLongitude: name == "longitude") {
            guard text.utf8.contains(Self.comma) else { return number }
            // Metres may well have thousands; degrees have not.
            if builder.crs.kind != .lonLat, Self.groupCount(text, Self.comma) > 0 {
                note(
                    "has the \(name) \(Snippet.of(text)), whose comma may group thousands or begin decimals; "
                        + "write thousands without a comma, decimals with a point")
                return nil
            }
            kinds.noteDecimalComma()
            return number
        }
        note("has the \(name) \(Snippet.of(text)), which is not a number")
        return nil
    }

    /// The number of groups of three digits that follow a separator: 1 in `1.234`, 2 in `1.234.567`.
    private static func groupCount(_ text: String, _ separator: UInt8) -> Int {
        let parts = text.utf8.drop { $0 == UInt8(ascii: "-") }.split(
            separator: separator, omittingEmptySubsequences: false)
        guard parts[0].first != UInt8(ascii: "0"), 1...3 ~= parts[0].count,
            parts.dropFirst().allSatisfy({ $0.count == 3 }),
            parts.allSatisfy({ $0.allSatisfy(\.isDigit) })
        else { return 0 }
        return parts.count - 1
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}

extension CSVReader {
    /// Notes the columns whose dots may group thousands.
    static func noteGroups(_ kinds: CSVKinds, _ parser: CSVParser, _ collector: PointCollector) {
        for column in kinds.groupedColumns
        where !parser.builder.isIgnored(parser.attributes[column]) {
            let name = parser.layout.names[column]
            collector.note(
                "the values of \(name) stay texts: dots as in 1.234 may group thousands in a table with "
                    + "decimal commas. Without the dots they are numbers; --type \(name):number takes "
                    + "the dots as decimal ones")
        }
    }
}
