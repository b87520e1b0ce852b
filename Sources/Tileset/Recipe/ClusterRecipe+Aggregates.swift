import Clustering
import Expressions
import JSON

extension ClusterRecipe {
    /// The aggregates that the engine computes.
    func parsedAggregates() throws(ClusteringError) -> [Aggregate] {
        var parsed: [Aggregate] = []
        for aggregate in aggregates {
            parsed.append(try Aggregate(parsing: "\(aggregate.name)=\(aggregate.operation)"))
        }
        return parsed
    }

    /// MapLibre's cluster properties, checked.
    func parsedClusterProperties() throws -> [ClusterProperty] {
        guard let clusterProperties else { return [] }
        return try JSONNode(clusterProperties, at: JSONPath.root["clusterProperties"]).members.map {
            try ClusterProperty(name: $0.key, json: $0.node.value, at: $0.node.path)
        }
    }
}
