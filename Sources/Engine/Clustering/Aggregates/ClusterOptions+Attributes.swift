import Expressions

extension ClusterOptions {
    /// The aggregate that computes a cluster property in its short form, which is faster; nil for others.
    private static func aggregate(for property: ClusterProperty) -> Aggregate? {
        let operation: AggregateOperation? =
            switch property.reduceOperator {
            case .sum: .sum
            case .min: .min
            case .max: .max
            case .any: .any
            case .all: .all
            case .product, .concat, nil: nil
            }
        return operation.map { Aggregate(property.name, $0, of: .expression(property.map)) }
    }

    var allAggregates: [Aggregate] {
        aggregates + facets.map(\.aggregate) + clusterProperties.compactMap(Self.aggregate)
    }

    /// Cluster properties that are evaluated as they are written.
    var writtenOutProperties: [ClusterProperty] {
        clusterProperties.filter { Self.aggregate(for: $0) == nil }
    }

    func checkNames() throws(ClusteringError) {
        for aggregate in aggregates { try aggregate.check() }
        var seen: Set<String> = []
        let made =
            aggregates.map(\.name) + facets.map(\.facet.attribute) + clusterProperties.map(\.name)
        for name in made + inherit {
            guard !reservedNames.contains(name) else {
                throw .contradiction("every cluster has its own '\(name)'; choose another name")
            }
            guard seen.insert(name).inserted else {
                throw .contradiction("two attributes of clusters are named '\(name)'")
            }
            guard name != groupBy || inherit.contains(name) else {
                throw .contradiction(
                    "clusters carry '\(name)', by which they are grouped; choose another name")
            }
            let histogram = aggregates.first {
                $0.operation == .histogram && name.hasPrefix($0.name + ":")
            }
            if let histogram {
                throw .contradiction(
                    "'\(name)' is how the histogram '\(histogram.name)' names a category; "
                        + "choose another name")
            }
        }
    }
}
