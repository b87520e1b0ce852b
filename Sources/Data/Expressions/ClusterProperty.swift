import JSON

/// One entry of MapLibre's `clusterProperties`: the value of each point, and how two values are joined.
///
/// Both forms are read: `["+", ["get", "scalerank"]]` and the long
/// `[["+", ["accumulated"], ["get", "sum"]], ["get", "scalerank"]]`.
public struct ClusterProperty: Sendable {
    /// The operators of the short form. All but `concat` give the same result in any order of the
    /// points, and they can run without evaluating an expression.
    public enum Operator: String, CaseIterable, Sendable {
        case sum = "+"
        case product = "*"
        case min, max, any, all, concat
    }

    public let name: String
    /// The value of a point.
    public let map: Expression
    /// Joins `["accumulated"]` with the next value, which is `["get", name]`.
    ///
    /// The short form is expanded, so this can be evaluated for either form.
    public let reduce: Expression
    /// The operator of the short form, if it is a known one.
    public let reduceOperator: Operator?

    public init(
        name: String, json: JSONValue, at path: JSONPath = .root
    ) throws(ExpressionError) {
        guard case .array(let parts) = json, parts.count == 2 else {
            throw .wrongLiteral(
                expected: "[OPERATOR, EXPRESSION] or [REDUCER, EXPRESSION]",
                found: json.asArray.map { "an array of \($0.count)" } ?? json.kindInWords, at: path)
        }
        self.name = name
        switch parts[0] {
        case .string(let symbol):
            reduceOperator = Operator(rawValue: symbol)
            let spelt: JSONValue = [.string(symbol), ["accumulated"], ["get", .string(name)]]
            reduce = try Expression(parsing: spelt, at: path, as: .reducer)
        case .array:
            reduceOperator = nil
            reduce = try Expression(parsing: parts[0], at: path[0], as: .reducer)
        default:
            throw .wrongLiteral(
                expected: "an operator's name or a reducing expression",
                found: parts[0].kindInWords, at: path[0])
        }
        map = try Expression(parsing: parts[1], at: path[1], as: .value)
    }
}

extension ClusterProperty {
    /// Whether another order of the points may change the result.
    ///
    /// An operator that does not depend on the order is also recognized in the long form: `["max",
    /// ["accumulated"], ["get", "most"]]`. Other expressions may depend on it.
    public var dependsOnOrder: Bool {
        if let reduceOperator { return reduceOperator == .concat }
        guard let parts = reduce.source.asArray, parts.count == 3,
            let known = parts[0].asString.flatMap(Operator.init), known != .concat
        else { return true }
        let operands: Set<JSONValue> = [["accumulated"], ["get", .string(name)]]
        return Set(parts[1...]) != operands
    }
}
