// Numbers with a decimal comma, and dots or commas that group thousands.

extension CSVParser {
    /// Whether the cell is a number with a decimal comma: in a table that uses commas for nothing
    /// else, and with a comma that does not group thousands.
    var isCommaNumber: Bool {
        guard layout.delimiter != UInt8(ascii: ","), cell.range.count <= 40 else { return false }
        let text = bytes.span(cell.range)
        guard let comma = text.indices.first(where: { text[$0] == UInt8(ascii: ",") }) else {
            return false
        }
        func areDigits(_ range: Range<Int>) -> Bool {
            !range.isEmpty
                && range.allSatisfy {
                    text[$0] >= UInt8(ascii: "0") && text[$0] <= UInt8(ascii: "9")
                }
        }
        let sign = text[0] == UInt8(ascii: "-") ? 1 : 0
        let isCode = comma > sign + 1 && text[sign] == UInt8(ascii: "0")
        return !isCode && areDigits(sign..<comma) && areDigits(comma + 1..<text.count)
    }

    /// Whether its comma cannot group thousands.
    var isSurelyDecimal: Bool { groupCount(UInt8(ascii: ",")) == 0 }

    /// The cell of a column that the options want as numbers, if it has a decimal comma.
    func commaNumber(for attribute: InputAttribute) -> Double? {
        guard [.number, .integer].contains(builder.plans[attribute.index].kind), isCommaNumber,
            kinds.hasDecimalCommas || isSurelyDecimal
        else { return nil }
        return CoordinateText.decimalComma(String(copying: bytes.span(cell.range)))
    }

    /// The number of groups of three digits that follow a separator: 1 in `1.234`, 2 in `1.234.567`.
    func groupCount(_ separator: UInt8) -> Int {
        let text = bytes.span(cell.range)
        var (digits, count) = (0, 0)
        let first = text[0] == UInt8(ascii: "-") ? 1 : 0
        guard first < text.count, text[first] != UInt8(ascii: "0") else { return 0 }
        for index in first..<text.count {
            if text[index] &- UInt8(ascii: "0") < 10 {
                digits += 1
            } else if text[index] == separator, count == 0 ? 1...3 ~= digits : digits == 3 {
                (digits, count) = (0, count + 1)
            } else {
                return 0
            }
        }
        return digits == 3 ? count : 0
    }

    var kindOfCell: CSVKinds.Cells {
        if let number = wholeCellNumber {
            guard kinds.hasDecimalCommas, !number.isWhole else { return .number }
            return groupCount(UInt8(ascii: ".")) == 1 ? .grouped : .decimal
        }
        if isCommaNumber { return .comma }
        if kinds.hasDecimalCommas, groupCount(UInt8(ascii: ".")) > 1 { return .groups }
        guard cell.range.count == 4 || cell.range.count == 5 else { return .text }
        switch String(copying: bytes.span(cell.range)) {
        case "true", "false", "True", "False", "TRUE", "FALSE": return .bool
        default: return .text
        }
    }
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
