import JSON

/// An operator with its arguments, as written.
struct Call {
    let name: String
    let arguments: [JSONValue]
    let path: JSONPath

    var count: Int { arguments.count }

    func path(of argument: Int) -> JSONPath { path[argument + 1] }

    func wrongCount(takes: String) -> ExpressionError {
        .wrongArgumentCount(name, takes: takes, found: count, at: path)
    }

    /// The argument at `index`, which must be a literal text.
    func literalText(_ index: Int, expected: String) throws(ExpressionError) -> String {
        guard case .string(let text) = arguments[index] else {
            throw wrongLiteral(index, expected: expected)
        }
        return text
    }

    /// The argument at `index`, which must be a literal number.
    func literalNumber(_ index: Int, expected: String) throws(ExpressionError) -> Double {
        guard let number = arguments[index].asNumber else {
            throw wrongLiteral(index, expected: expected)
        }
        return number
    }

    func wrongLiteral(_ index: Int, expected: String) -> ExpressionError {
        .wrongLiteral(
            expected: expected, found: arguments[index].kindInWords, at: path(of: index))
    }
}
