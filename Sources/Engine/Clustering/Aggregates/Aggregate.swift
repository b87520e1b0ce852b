import Expressions
import JSON
import Spelling

/// A value that a cluster gets from its points: `mean_price=mean:price`.
public struct Aggregate: Sendable {
    /// The attribute of the cluster.
    public let name: String
    public let operation: AggregateOperation
    public let source: Source

    public enum Source: Sendable {
        /// Every point counts, whatever its attributes.
        case points
        case attribute(String)
        case expression(Expression)
        /// The value of a facet that a point has.
        case facet(FacetLayout)
    }

    public init(_ name: String, _ operation: AggregateOperation, of source: Source) {
        self.name = name
        self.operation = operation
        self.source = source
    }

    /// Reads `NAME=OP` or `NAME=OP:ATTRIBUTE`.
    public init(parsing text: String) throws(ClusteringError) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw .badAggregate(text: text, reason: "write NAME=OP or NAME=OP:ATTRIBUTE")
        }
        let rest = text[text.index(after: equals)...]
        let colon = rest.firstIndex(of: ":") ?? rest.endIndex
        let word = String(rest[..<colon])
        guard let operation = AggregateOperation(word) else {
            let hint = AggregateOperation.words.nearest(to: word).map { "; did you mean '\($0)'?" }
            throw .badAggregate(
                text: text,
                reason: "there is no operation '\(word)'"
                    + (hint ?? "; use one of \(AggregateOperation.words.joined(separator: ", "))"))
        }
        self.init(
            String(text[..<equals]), operation,
            of: colon == rest.endIndex
                ? .points : .attribute(String(rest[rest.index(after: colon)...])))
        try check(text)
    }

    /// Throws if the operation cannot be done; `text` is how the user wrote it.
    func check(_ text: String? = nil) throws(ClusteringError) {
        let text = text ?? "\(name)=\(operation)"
        guard !name.isEmpty else { throw .badAggregate(text: text, reason: "it has no name") }
        if let reason = operation.fault { throw .badAggregate(text: text, reason: reason) }
        switch source {
        case .points where operation != .count:
            throw .badAggregate(
                text: text,
                reason: "\(operation) needs an attribute: \(name)=\(operation):ATTRIBUTE")
        case .attribute(""):
            throw .badAggregate(text: text, reason: "the attribute's name is missing")
        default: break
        }
    }
}
