import ArchiveContract
import Basics
import Clustering
import Geometry
import Points
import Recipes

/// A layer from the index and the leaf blocks, with the attributes of its clusters computed again.
struct RestoredLayer: Sendable {
    /// What the archive says of it.
    let said: ClusterDescription.Layer
    /// How the recipe has it clustered.
    let rules: ClusterRecipe?
    /// The points in leaf order; positions are in steps of 2^-30.
    let points: PointTable
    /// The clusters in the order of their keys.
    let clusters: [ClusterRecord]
    /// The ids of the clusters.
    let ids: [Int64]
    private let clustersByID: [Int64: Int]
    let tree: ClusterTree
    /// The attributes that the recipe asks clusters to carry.
    let fields: Set<ClusterAttribute>
    /// Attributes that clusters have from one of their points.
    let inherited: Set<String>
    /// The attributes by whose values points are counted, with these values.
    let facets: [FacetLayout]
    /// The box of each cluster's points.
    let boxes: [WorldBox]
    let means: PointMeans
    /// The running sums of weights, if the recipe takes them from an attribute.
    private let weightsBefore: [Double]

    /// - Returns: nil if the clusters are not nested, which another check finds.
    init?(
        _ layer: ClusterDescription.Layer, _ recipe: Recipe.Layer?, points: PointTable,
        clusters: [ClusterRecord], ids: [Int64], threads: Int
    ) throws {
        let first = layer.leaves.lowerBound
        let intervals = clusters.map {
            ClusterTree.Interval(
                leaves: Int($0.leaves.lowerBound - first)..<Int($0.leaves.upperBound - first),
                zoom: Int($0.key.zoom))
        }
        let rules = recipe?.clusters
        var tally = FacetTally(try rules?.parsedFacets() ?? [])
        tally.add(points, threads: threads)
        let facets = try tally.layouts()
        self.facets = facets
        guard
            let tree = ClusterTree(
                restoring: intervals, over: points,
                aggregates: try rules?.parsedAggregates() ?? [],
                clusterProperties: try rules?.parsedClusterProperties() ?? [], facets: facets,
                groupBy: rules?.options.groupBy,
                firstLeaf: Int(first), threads: threads)
        else { return nil }
        said = layer
        self.rules = rules
        self.points = points
        self.clusters = clusters
        self.ids = ids
        clustersByID = Dictionary(zip(ids, ids.indices)) { first, _ in first }
        self.tree = tree
        fields = Set(rules?.fields ?? [])
        inherited = Set(rules?.options.inherit ?? [])
        boxes = tree.boxes(in: points, wraps: layer.wraps)
        let weights = rules?.weight.map { Self.weightsBefore(points, $0) } ?? []
        weightsBefore = weights
        means = PointMeans(points.count, position: points.position) { point in
            weights.isEmpty ? 1 : weights[point + 1] - weights[point]
        }
    }

    var name: String { said.name }
    /// The numbers of its leaves in the archive.
    var leaves: Range<Int64> { said.leaves }

    /// The weight of a point for the position of clusters.
    func weight(ofPoint leaf: Int) -> Double {
        weightsBefore.isEmpty ? 1 : weightsBefore[leaf + 1] - weightsBefore[leaf]
    }

    /// The index of the cluster with an id.
    func cluster(_ id: Int64) -> Int? { clustersByID[id] }

    /// The weight of a cluster; nil if it is not known.
    func weight(of cluster: Int) -> Double? {
        guard !weightsBefore.isEmpty else { return nil }
        let leaves = tree.leafRange(of: cluster)
        return weightsBefore[leaves.upperBound] - weightsBefore[leaves.lowerBound]
    }

    /// The greatest difference that another order of adding up may make.
    var weightSlack: Double { (weightsBefore.last ?? 0) * 1e-9 }

    private static func weightsBefore(_ points: PointTable, _ name: String) -> [Double] {
        guard let key = points.attributes.keys.key(named: name) else { return [] }
        var sums = [0.0]
        sums.reserveCapacity(points.count + 1)
        points.attributes.forEachRecord(of: 0..<points.count) { _, record in
            // A point without a weight counts once.
            sums.append(sums[sums.count - 1] + (record.value(of: key)?.unpacked.asWeight ?? 1))
        }
        return sums
    }
}
