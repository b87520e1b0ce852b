/// A JSON value (RFC 8259).
///
/// A whole number within `Int64` is `integer`, however it was spelt (`3`, `3.0`, `3e0`), so that
/// ids stay exact; every other number is a finite `number`. A text is never read as `unsigned`, which is for
/// writing exactly what is beyond `Int64`.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// The canonical value of a number: an integer if it is a whole number in the exact range.
    public init(canonical number: Double) {
        let isNegativeZero = number == 0 && number.sign == .minus
        if number.magnitude <= 0x1p53, number == number.rounded(.towardZero), !isNegativeZero {
            self = .integer(Int64(number))
        } else {
            self = .number(number)
        }
    }

    /// A whole number, exactly.
    public init(exactly integer: UInt64) {
        self = Int64(exactly: integer).map(JSONValue.integer) ?? .unsigned(integer)
    }

    /// The value as a number, if it is one.
    public var asNumber: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .unsigned(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    public var asString: String? {
        if case .string(let string) = self { string } else { nil }
    }

    public var asArray: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    public var asObject: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The kind of the value, in words with an article: `a string`, `an object`.
    public var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .unsigned, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self.init(canonical: value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(JSONObject(members.map { .init(key: $0.0, value: $0.1) }))
    }
}
