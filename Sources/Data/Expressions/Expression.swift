import JSON
import Points

/// A checked expression of the MapLibre style specification: a filter, a value, or a reducer.
///
///     let filter = try Expression(parsing: [">", ["get", "value"], 10], as: .filter)
///     let bound = filter.bound(to: table.attributes.keys)
///     if bound.matches(table.attributes[row]) { … }
public struct Expression: Sendable {
    public enum Role: Sendable {
        /// Yields true or false; the old filter arrays (`["==", "kind", "cafe"]`) are accepted.
        case filter
        /// Yields anything.
        case value
        /// Joins `["accumulated"]` with the next point's properties.
        case reducer
    }

    /// The greatest depth of an expression.
    public static let nestingLimit = 100
    /// The greatest number of operators of an expression after its variables are expanded.
    public static let sizeLimit = 100_000

    /// The expression as written.
    public let source: JSONValue
    public let role: Role
    /// The type of its value, if it is known.
    public var type: ExpressionType { root.type }
    /// The attributes read by name, in order of occurrence.
    public let attributeNames: [String]

    let root: any ExpressionNode

    public init(
        parsing source: JSONValue, at path: JSONPath = .root, as role: Role
    ) throws(ExpressionError) {
        var parser = ExpressionParser(role: role)
        root =
            switch role {
            case .filter: try parser.filter(source, at: path)
            case .value, .reducer: try parser.parse(source, at: path)
            }
        self.source = source
        self.role = role
        attributeNames = parser.attributeNames
    }

    /// The expression prepared for records that were packed with these keys.
    ///
    /// `properties` are names whose values are not in the record but passed at each evaluation: the
    /// cluster properties that a reducer reads.
    public func bound(to keys: AttributeKeys, properties: [String] = []) -> BoundExpression {
        BoundExpression(self, keys: keys, properties: properties)
    }
}
