import ParallelColumns
import Points

/// The clusters above all cells, and the numbers of everything.
public struct TopTree: Sendable {
    /// Where each row of the nodes that were handed up has its place in the whole tree.
    public let placements: [Placement]
    /// The clusters that formed above the cells, in no order.
    public let clusters: [Cluster]
    /// A record for each of them.
    public let attributes: AttributeTable

    /// The numbers of a node that was handed up, from which those of all below it follow.
    public struct Placement: Equatable, Sendable {
        public var leaf: UInt32
        /// For a point the number of the cluster that comes next.
        public var cluster: UInt32
        public var parent: UInt32
        public var parentZoom: Int8
    }

    public struct Cluster: Sendable {
        public var place: Placement
        public var zoom: Int8
        public var points: UInt32
        public var x: Double
        public var y: Double
        public var weight: Double
        /// The row of the point, or the cluster, that its first leaf is of.
        public var seed: UInt32
        /// The row of the point, or the cluster, that represents it.
        var representative: UInt32
    }

    /// Clusters what all cells handed up, from the zoom above their cut to the minimum zoom.
    public init(
        of nodes: HandedUpNodes, group: AttributeValue?, cutZoom: Int, options: ClusterOptions,
        threads: Int
    ) throws(ClusteringError) {
        var options = options
        options.maxZoom = cutZoom - 1
        let input = try ClusterInput(
            nodes.points, subset: nil, options: options, arena: Arena(),
            given: GivenClusters(nodes))
        let hierarchy = Workers.with(threads, expecting: 128 * input.count) { workers in
            HierarchyBuilder.build(input, workers: workers, goesOn: { _ in true })
        }
        guard let hierarchy else { throw .cancelled }
        // No row is left out, so a point's number is its row's.
        let givenRows = hierarchy.givenPoints
        let numbering = TopNumbering(hierarchy, nodes, givenRows, minZoom: options.minZoom)
        placements = numbering.placements
        clusters = numbering.clusters
        attributes = Workers.with(threads, expecting: 16 * input.count) { workers in
            TopReduction(hierarchy, nodes, givenRows, options, workers)
                .attributes(of: numbering, group: group)
        }
    }
}
