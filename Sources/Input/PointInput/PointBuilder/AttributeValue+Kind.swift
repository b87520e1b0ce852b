import Points

extension AttributeValue {
    init(unsigned: UInt64) {
        self = unsigned <= UInt64(Int64.max) ? .integer(Int64(unsigned)) : .unsigned(unsigned)
    }

    /// The value as a table would have it.
    public var spelling: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .integer(let integer): "\(integer)"
        case .unsigned(let unsigned): "\(unsigned)"
        case .bool(let bool): "\(bool)"
        }
    }

    /// The value as a feature id, if it is a whole number or the text of one.
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

    /// The value converted to another kind; nil if that would lose information.
    func converted(to kind: AttributeKind) -> AttributeValue? {
        switch (kind, self) {
        case (.text, _): .text(spelling)
        case (.number, .text(let text)):
            Self.number(NumberText.tidy(text)) ?? converted(to: .bool)?.converted(to: .number)
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

    /// The value as a number. Texts are parsed, because one odd value makes a column's values texts.
    package var asWeight: Double? {
        guard case .text(let text) = self else { return asNumber }
        return Self.number(NumberText.tidy(text))?.asNumber
    }

    /// The number in a text, in a code like `007`, or one like `+5` and `5.`, if a number is requested.
    private static func number(_ text: String) -> AttributeValue? {
        if let number = NumberText.value(of: text) { return number }
        let digits = text.drop { $0 == "0" }
        guard digits.count < text.count else {
            let loose = NumberText.looseDouble(text)
            return loose.flatMap { $0.isFinite ? .init(canonical: $0) : nil }
        }
        return NumberText.value(of: digits.first?.isNumber == true ? String(digits) : "0\(digits)")
    }

    private var asInteger: AttributeValue? {
        if case .number = self { nil } else { self }
    }
}

extension UInt64 {
    /// The number in a text of its usual form: digits only, no leading zero.
    init?(canonical text: String) {
        guard let number = UInt64(text), "\(number)" == text else { return nil }
        self = number
    }
}
