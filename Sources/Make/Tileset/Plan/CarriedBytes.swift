import Clustering
import Recipes

/// About how many bytes the values take that clusters carry: aggregates, facets and what is inherited.
struct CarriedBytes: Equatable {
    let ofCluster: Int

    /// About what that is for each point: there are two clusters for five points.
    var ofPoint: Int { ofCluster * 2 / 5 }

    /// A value with its key. Where it is long, as a text of many values may be, few clusters have it.
    private static let bytesOfValue = 32
    /// A number of a facet: most clusters have few points, and numbers of one digit.
    private static let bytesOfCount = 1.2
    private static let bytesOfSum = 8.0

    init(values: Int, facets: [FacetLayout]) {
        ofCluster = values * Self.bytesOfValue + Self.bytes(of: facets)
    }

    init(of options: ClusterOptions) {
        self.init(values: options.carriedValues, facets: options.facets)
    }

    /// - Parameter facets: the facets of the layer, if their values are known.
    init(of layer: Recipe.Layer, facets: [FacetLayout] = []) {
        let clusters = layer.isClustered ? layer.clusters : nil
        let properties = clusters?.clusterProperties?.asObject?.members.count ?? 0
        self.init(
            values: (clusters?.aggregates.count ?? 0) + (clusters?.options.inherit.count ?? 0)
                + properties, facets: facets)
    }

    /// The bytes of facets in one cluster.
    static func bytes(of facets: [FacetLayout]) -> Int {
        facets.reduce(0) {
            $0 + Int(Double($1.count) * ($1.facet.sum == nil ? bytesOfCount : bytesOfSum))
        }
    }
}

extension ClusterOptions {
    /// How many values a cluster carries beside facets.
    var carriedValues: Int { aggregates.count + clusterProperties.count + inherit.count }
}
