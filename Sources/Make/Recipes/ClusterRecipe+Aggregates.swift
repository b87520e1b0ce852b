import Clustering
import Expressions
import JSON
import PointInput

extension ClusterRecipe {
    /// An attribute of clusters as a recipe writes it.
    public struct Aggregation: Equatable, Sendable {
        public var name: String
        /// `OP` or `OP:ATTR`.
        public var operation: String
        /// The expression whose values are aggregated, if it is not an attribute.
        public var expression: JSONValue?

        public init(_ name: String, _ operation: String, of expression: JSONValue? = nil) {
            self.name = name
            self.operation = operation
            self.expression = expression
        }
    }

    /// The aggregates that the engine computes.
    package func parsedAggregates(at path: JSONPath = .root) throws -> [Aggregate] {
        try aggregates.map { try $0.parsed(at: path["aggregates"][$0.name]) }
    }

    /// The facets by whose values points are counted.
    package func parsedFacets() throws -> [Facet] {
        try facets.map { try Facet(parsing: $0) }
    }

    /// The labels that points get for facets over time.
    package func dateLabels() throws -> [DateLabel] {
        let axes = try parsedFacets().flatMap(\.axes)
        var labels: [DateLabel] = []
        for axis in axes {
            guard case .date(let unit) = axis.kind,
                !labels.contains(where: { $0.name == axis.name })
            else { continue }
            labels.append(
                DateLabel(name: axis.name, attribute: axis.attribute, unit: unit, zone: facetZone))
        }
        return labels
    }

    /// MapLibre's cluster properties, checked.
    package func parsedClusterProperties(at path: JSONPath = .root) throws -> [ClusterProperty] {
        guard let clusterProperties else { return [] }
        return try JSONNode(clusterProperties, at: path["clusterProperties"]).members.map {
            try ClusterProperty(name: $0.key, json: $0.node.value, at: $0.node.path)
        }
    }
}

extension ClusterRecipe.Aggregation {
    /// Reads `"OP:ATTR"` or `["OP", EXPRESSION]`; the command line writes the latter as `OP:EXPRESSION`.
    init(_ name: String, reading node: JSONNode) throws {
        if let text = node.value.asString {
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[1].hasPrefix("[") else {
                self.init(name, text)
                return
            }
            do {
                self.init(name, String(parts[0]), of: try JSONValue(parsing: String(parts[1])))
            } catch {
                throw node.wrong("an expression in JSON behind \"\(parts[0]):\" (\(error))")
            }
        } else {
            guard let parts = node.value.asArray, parts.count == 2, let word = parts[0].asString
            else { throw node.wrong("\"OP:ATTR\" or [\"OP\", EXPRESSION]") }
            self.init(name, word, of: parts[1])
        }
    }

    var json: JSONValue {
        expression.map { [.string(operation), $0] } ?? .string(operation)
    }

    /// The aggregate that the engine computes.
    func parsed(at path: JSONPath) throws -> Aggregate {
        guard let expression else { return try Aggregate(parsing: "\(name)=\(operation)") }
        // With an attribute of any name, the operation can be parsed by itself.
        let plain = try Aggregate(parsing: "\(name)=\(operation):value")
        return Aggregate(
            name, plain.operation,
            of: .expression(try Expression(parsing: expression, at: path[1], as: .value)))
    }
}
