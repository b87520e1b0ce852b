/// Why points cannot be clustered.
public enum ClusteringError: Error, Equatable {
    case coordinateNotFinite(row: Int)
    case weightNotUsable(row: Int, weight: Double)
    case weightsTooLarge
    case tooManyPoints(Int)
    case optionOutOfRange(name: String, value: String, wanted: String)
    case contradiction(String)
    case badAggregate(text: String, reason: String)
    case badFacet(text: String, reason: String)
    case cancelled
}

extension ClusteringError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .coordinateNotFinite(let row):
            "point \(row) has a coordinate that is not a finite number; leave such points out"
        case .weightNotUsable(let row, let weight):
            "point \(row) weighs \(weight); a weight is a finite number, zero or more"
        case .weightsTooLarge:
            "the weights add up to more than a number holds; give them in a larger unit"
        case .tooManyPoints(let count):
            "\(count) points are too many to be clustered in one memory, which numbers 2147483646; "
                + "build in cells (covey build --job), or split points that lie close together by an attribute"
        case .optionOutOfRange(let name, let value, let wanted):
            "\(name) is \(value); it must be \(wanted)"
        case .contradiction(let reason):
            reason
        case .cancelled: "clustering was stopped"
        case .badAggregate(let text, let reason):
            "aggregate '\(text)': \(reason)"
        case .badFacet(let text, let reason): "facet '\(text)': \(reason)"
        }
    }
}
