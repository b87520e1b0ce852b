/// The type of an expression's value, as known before evaluation.
public enum ExpressionType: String, Hashable, Sendable {
    case null, number, string, boolean, array, object
    /// Any type; known only at evaluation.
    case value

    /// The type with its article: `a number`, `an array`.
    public var inWords: String {
        switch self {
        case .null: "null"
        case .array, .object: "an \(rawValue)"
        default: "a \(rawValue)"
        }
    }
}
