import Clustering

extension ClusterRecipe {
    /// The aggregates that the engine computes.
    func parsedAggregates() throws -> [Aggregate] {
        []
    }
}
