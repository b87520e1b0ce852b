import Points

extension AttributeValue {
    init(unsigned: UInt64) {
        self = unsigned <= UInt64(Int64.max) ? .integer(Int64(unsigned)) : .unsigned(unsigned)
    }

    /// The value as it would be written in a table.
    public var spelling: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .integer(let integer): "\(integer)"
        case .unsigned(let unsigned): "\(unsigned)"
        case .bool(let bool): "\(bool)"
        }
    }

    /// The value as a feature id, if it is a whole number or a text that spells one.
    var wholeNumber: UInt64? {
        let whole: UInt64? =
            switch self {
            case .integer(let integer): UInt64(exactly: integer)
            case .unsigned(let unsigned): unsigned
            case .number(let number): UInt64(exactly: number)
            case .text(let text): UInt64(canonical: text)
            case .bool: nil
            }
        return whole == PointTable.noID ? nil : whole
    }

    /// The value turned into another kind, or nil if that would lose what it says.
    func converted(to kind: AttributeKind) -> AttributeValue? {
        switch (kind, self) {
        case (.text, _): .text(spelling)
        case (.number, .text(let text)): NumberText.value(of: text) ?? Self.code(text)
        case (.number, .bool(let bool)): .integer(bool ? 1 : 0)
        case (.number, _): self
        case (.integer, _): converted(to: .number)?.asInteger
        case (.bool, .bool): self
        case (.bool, .text("true")), (.bool, .text("True")), (.bool, .text("TRUE")): .bool(true)
        case (.bool, .text("false")), (.bool, .text("False")), (.bool, .text("FALSE")): .bool(false)
        case (.bool, .integer(0)), (.bool, .text("0")): .bool(false)
        case (.bool, .integer(1)), (.bool, .text("1")): .bool(true)
        case (.bool, _): nil
        }
    }

    /// The number that this is or, for in a column with one odd value all are texts, that it spells.
    var asWeight: Double? {
        guard case .text = self else { return asNumber }
        return converted(to: .number)?.asNumber
    }

    /// The number that a code like `007` is to who asks for a number.
    private static func code(_ text: String) -> AttributeValue? {
        let digits = text.drop { $0 == "0" }
        guard digits.count < text.count else { return nil }
        return NumberText.value(of: digits.first?.isNumber == true ? String(digits) : "0\(digits)")
    }

    private var asInteger: AttributeValue? {
        if case .number = self { nil } else { self }
    }
}

extension UInt64 {
    /// The number that a text spells in the usual way: digits only, no zero in front.
    init?(canonical text: String) {
        guard let number = UInt64(text), "\(number)" == text else { return nil }
        self = number
    }
}
