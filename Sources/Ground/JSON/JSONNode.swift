/// A value together with its path in the document; a wrong value is thrown as an error with this
/// path.
///
///     let recipe = JSONNode(try JSONValue(parsing: text))
///     let radius = try recipe.member("radius")?.number ?? 50
///     for layer in try recipe.required("layers").elements { try add(layer.required("id").string) }
public struct JSONNode: Hashable, Sendable {
    public let value: JSONValue
    public let path: JSONPath

    public init(_ value: JSONValue, at path: JSONPath = .root) {
        self.value = value
        self.path = path
    }

    public var string: String {
        get throws(JSONError) {
            guard case .string(let string) = value else { throw wrong("a string") }
            return string
        }
    }

    public var bool: Bool {
        get throws(JSONError) {
            guard case .bool(let bool) = value else { throw wrong("true or false") }
            return bool
        }
    }

    public var number: Double {
        get throws(JSONError) {
            guard let number = value.asNumber else { throw wrong("a number") }
            return number
        }
    }

    public var integer: Int64 {
        get throws(JSONError) {
            guard case .integer(let integer) = value else { throw wrong("a whole number") }
            return integer
        }
    }

    /// The value as a whole number within a range.
    public func integer(in range: ClosedRange<Int>) throws(JSONError) -> Int {
        guard case .integer(let integer) = value, let number = Int(exactly: integer),
            range.contains(number)
        else {
            throw wrong("a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The elements of the value, which must be an array.
    public var elements: [JSONNode] {
        get throws(JSONError) {
            guard case .array(let elements) = value else { throw wrong("an array") }
            return elements.indices.map { JSONNode(elements[$0], at: path[$0]) }
        }
    }

    /// The members of the value, which must be an object; a key that occurs twice is an error.
    public var members: [(key: String, node: JSONNode)] {
        get throws(JSONError) {
            guard case .object(let object) = value else { throw wrong("an object") }
            if let key = object.duplicateKey { throw .duplicate(key: key, at: path) }
            return object.members.map { ($0.key, JSONNode($0.value, at: path[$0.key])) }
        }
    }

    /// The member with a key, if the value has it; the value must be an object.
    public func member(_ key: String) throws(JSONError) -> JSONNode? {
        guard case .object(let object) = value else { throw wrong("an object") }
        return object[key].map { JSONNode($0, at: path[key]) }
    }

    public func required(_ key: String) throws(JSONError) -> JSONNode {
        guard let member = try member(key) else { throw .missing(key: key, at: path) }
        return member
    }

    /// The error that another kind of value is expected here; `expected` is in words.
    public func wrong(_ expected: String) -> JSONError {
        .expected(expected, found: found, at: path)
    }

    /// The value as an error shows it: plain values are shown unless they are long.
    private var found: String {
        switch value {
        case .array, .object: return value.kindInWords
        case .string(let string) where string.count > 40: return "a long string"
        default: return value.text()
        }
    }
}
