import ParallelColumns
import Points

/// The clusters above a frontier, and the numbers of its nodes and of these clusters.
public struct TopTree: Sendable {
    /// The place of each row of the frontier in the tree.
    public let placements: [Placement]
    /// The clusters that formed above the frontier, in no order.
    public let clusters: [Cluster]
    /// A record for each of these clusters.
    public let attributes: AttributeTable

    /// The numbers of a node of the frontier, from which those of all nodes below it follow.
    public struct Placement: Equatable, Sendable {
        public var leaf: Int
        /// For a point, the number of the cluster that comes next.
        public var cluster: Int
        /// −1 where there is none.
        public var parent: Int
        public var parentZoom: Int8
    }

    public struct Cluster: Sendable {
        public var place: Placement
        public var zoom: Int8
        public var points: Int
        public var x: Double
        public var y: Double
        public var weight: Double
        /// The row of the point or cluster that its first leaf belongs to.
        public var seed: UInt32
        /// The row of the point or cluster that represents it.
        var representative: UInt32
    }

    /// Clusters the frontier of all cells, from the zoom above their cut zoom to the minimum zoom.
    public init(
        of nodes: Frontier, group: AttributeValue?, cutZoom: Int, options: ClusterOptions,
        threads: Int
    ) throws(ClusteringError) {
        let input = try ClusterInput(above: cutZoom, nodes, options)
        let hierarchy = Workers.with(threads, expecting: 128 * input.count) { workers in
            HierarchyBuilder.build(input, workers: workers, goesOn: { _ in true })
        }
        guard let hierarchy else { throw .cancelled }
        let numbering = TopNumbering(hierarchy, nodes, minZoom: options.minZoom)
        let reduction = Workers.with(threads, expecting: 16 * input.count) { workers in
            TopReduction(hierarchy, nodes, roots: [], input.options, workers)
        }
        self.init(numbering, reduction, group)
    }

    init(_ numbering: TopNumbering, _ reduction: TopReduction, _ group: AttributeValue?) {
        placements = numbering.placements
        clusters = numbering.clusters
        attributes = reduction.attributes(of: numbering, group: group)
    }
}

extension ClusterInput {
    /// A frontier as input, to be clustered from the zoom above `cutZoom` on. No row is left out, so the number
    /// of a point is that of its row.
    init(
        above cutZoom: Int, _ nodes: Frontier, _ options: ClusterOptions
    ) throws(ClusteringError) {
        var options = options
        options.maxZoom = cutZoom - 1
        try self.init(
            nodes.points, subset: nil, options: options, arena: Arena(),
            given: GivenClusters(nodes))
    }
}
