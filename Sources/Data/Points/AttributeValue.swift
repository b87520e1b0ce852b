/// The value of an attribute: what a GeoJSON property or a table cell comes down to.
///
/// There is no null: an attribute without a value is left out. Nested objects and arrays are kept
/// as JSON text. Whole numbers that a `Double` holds exactly are integers, whatever they came from.
public enum AttributeValue: Hashable, Sendable {
    case text(String)
    case number(Double)
    case integer(Int64)
    /// A whole number past `Int64`'s reach.
    case unsigned(UInt64)
    case bool(Bool)
}

extension AttributeValue {
    /// The canonical value of a number: an integer where it is a whole one that is exact.
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
