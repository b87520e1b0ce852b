/// What an expression yields, if that is known before it runs.
public enum ExpressionType: String, Hashable, Sendable {
    case null, number, string, boolean, array, object
    /// Anything; known only when the expression runs.
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
