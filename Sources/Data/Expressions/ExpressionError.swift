import JSON

/// An error in an expression as written, with its path.
public enum ExpressionError: Error, Hashable, Sendable {
    case unknownOperator(String, nearest: String?, at: JSONPath)
    /// The style specification has the operator, but it makes sense only for drawing a map.
    case drawingOnly(String, at: JSONPath)
    /// The operator is used where its value is not available.
    case misplaced(String, at: JSONPath)
    /// `takes` describes the right count in words.
    case wrongArgumentCount(String, takes: String, found: Int, at: JSONPath)
    case wrongType(expected: ExpressionType, found: ExpressionType, at: JSONPath)
    case notComparable(String, ExpressionType, ExpressionType, at: JSONPath)
    /// The argument must be another literal; `expected` and `found` are in words.
    case wrongLiteral(expected: String, found: String, at: JSONPath)
    case duplicateLabel(String, at: JSONPath)
    case stopsNotAscending(at: JSONPath)
    case unknownVariable(String, nearest: String?, at: JSONPath)
    case nestedTooDeeply(limit: Int, at: JSONPath)
    case tooLarge(limit: Int, at: JSONPath)
}

extension ExpressionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownOperator(let name, let nearest, let path):
            "unknown operator \"\(name)\" at \(path)" + Self.suggestion(nearest)
        case .drawingOnly(let name, let path):
            "\"\(name)\" at \(path) is for drawing maps; it has no meaning for data"
        case .misplaced(let name, let path):
            "\"\(name)\" at \(path) belongs in the reducing part of a cluster property"
        case .wrongArgumentCount(let name, let takes, let found, let path):
            "\"\(name)\" takes \(takes), found \(found) at \(path)"
        case .wrongType(let expected, let found, let path):
            "expected \(expected.inWords) at \(path), found \(found.inWords)"
        case .notComparable(let name, let left, let right, let path):
            "\"\(name)\" cannot compare \(left.inWords) with \(right.inWords) at \(path)"
        case .wrongLiteral(let expected, let found, let path):
            "expected \(expected) at \(path), found \(found)"
        case .duplicateLabel(let label, let path):
            "the label \(label) at \(path) occurs before"
        case .stopsNotAscending(let path):
            "the stop at \(path) must be greater than the one before it"
        case .unknownVariable(let name, let nearest, let path):
            "unknown variable \"\(name)\" at \(path)" + Self.suggestion(nearest)
        case .nestedTooDeeply(let limit, let path):
            "the expression is nested deeper than \(limit) levels at \(path)"
        case .tooLarge(let limit, let path):
            "the expression grows past \(limit) operators at \(path)"
        }
    }

    private static func suggestion(_ nearest: String?) -> String {
        nearest.map { "; did you mean \"\($0)\"?" } ?? ""
    }
}
