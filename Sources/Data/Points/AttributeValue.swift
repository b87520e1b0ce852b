/// The value of an attribute: of a GeoJSON property or a table cell.
///
/// There is no null: an attribute without a value is omitted. Nested objects and arrays are kept as JSON
/// text. Whole numbers that a `Double` holds exactly are integers, whatever their type in the input was.
///
/// Texts are equal if their bytes are, as in tiles and in JavaScript: é may be one character, or e and an accent.
public enum AttributeValue: Sendable {
    case text(String)
    case number(Double)
    case integer(Int64)
    /// A whole number greater than `Int64.max`.
    case unsigned(UInt64)
    case bool(Bool)
}

extension AttributeValue: Hashable {
    public static func == (a: AttributeValue, b: AttributeValue) -> Bool {
        switch (a, b) {
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.number(let a), .number(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .number(let number): hasher.combine(number)
        case .integer(let integer): hasher.combine(integer)
        case .unsigned(let unsigned): hasher.combine(unsigned)
        case .bool(let bool): hasher.combine(bool)
        }
    }
}

extension AttributeValue {
    /// The canonical value of a number: an integer if it is a whole number in the exact range.
    public init(canonical number: Double) {
        if number.magnitude <= 0x1p53, number == number.rounded(.towardZero) {
            self = .integer(Int64(number))
        } else {
            self = .number(number)
        }
    }

    /// The value as a number, if it is one; texts are not parsed.
    public var asNumber: Double? {
        switch self {
        case .number(let number): number
        case .integer(let integer): Double(integer)
        case .unsigned(let unsigned): Double(unsigned)
        case .text, .bool: nil
        }
    }
}
