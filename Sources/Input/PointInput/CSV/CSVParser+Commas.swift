// Numbers with a decimal comma.

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

    /// The cell as a number of a column with decimal commas; nil if the table does not have them.
    var commaNumber: Double? {
        guard kinds.hasDecimalCommas else { return nil }
        let text = String(copying: bytes.span(cell.range))
        return NumberText.looseDouble(text) ?? CoordinateText.decimalComma(text)
    }
}
