import Geometry
import Points

/// The clusters of all zooms over a set of points: a table of at most 2n nodes.
///
/// Leaves are numbered by a depth-first walk, so every cluster is one interval of leaf numbers. A
/// node that formed at zoom `f` under a parent that formed at zoom `p` is drawn at p < z ≤ f.
/// Leaves and clusters are named here by their index in the columns.
public struct ClusterTree: Sendable {
    /// The parent of a node that has none.
    public static let noParent = UInt32.max

    /// The number of the first leaf in the archive.
    public let firstLeaf: Int
    public let minZoom: Int
    let columns: TreeColumns
    /// All leaves and clusters, without their parents.
    public var nodes: LooseNodes { columns.nodes }
    /// The hierarchies side by side in this tree: one, or one a value of `groupBy`.
    public let groups: [Group]
    /// A packed record a cluster: its aggregates, the attributes it inherits, that of its group.
    public let attributes: AttributeTable
    /// Values that aggregates skipped.
    public let skippedValues: [SkippedValues]

    /// The hierarchy of the points that share one value.
    public struct Group: Equatable, Sendable {
        /// Nil without `groupBy`, and for the points that have no value.
        public var value: AttributeValue?
        public var leaves: Range<Int>
        public var clusters: Range<Int>
    }

    public var leafCount: Int { columns.leafRows.count }
    public var clusterCount: Int { columns.nodes.firsts.count }

    /// The row in the point table of each leaf.
    public var leafRows: Column<UInt32> { columns.leafRows }
    /// The cluster that each leaf is a child of.
    public var leafParents: Column<UInt32> { columns.leafParents }
    /// A leaf is drawn as a point of its own at the zooms past this one.
    public var leafParentZooms: Column<Int8> { columns.nodes.leafParentZooms }

    /// The first leaf of each cluster, counted from `firstLeaf`.
    public var firsts: Column<Int> { columns.nodes.firsts }
    /// How many leaves each cluster has.
    public var leaves: Column<Int> { columns.nodes.leaves }
    /// The zoom at which each cluster formed, the deepest at which it is drawn.
    public var zooms: Column<Int8> { columns.nodes.zooms }
    /// Each cluster is drawn at the zooms past this one.
    public var parentZooms: Column<Int8> { columns.nodes.parentZooms }
    /// The cluster that each cluster is a child of.
    public var parents: Column<UInt32> { columns.parents }
    public var xs: Column<Double> { columns.nodes.xs }
    public var ys: Column<Double> { columns.nodes.ys }
    /// The summed weight of each cluster, if weights count.
    public var weights: Column<Double>? {
        columns.nodes.weights.isEmpty ? nil : columns.nodes.weights
    }

    init(
        firstLeaf: Int, minZoom: Int, columns: TreeColumns, groups: [Group],
        attributes: AttributeTable, skippedValues: [SkippedValues]
    ) {
        self.firstLeaf = firstLeaf
        self.minZoom = minZoom
        self.columns = columns
        self.groups = groups
        self.attributes = attributes
        self.skippedValues = skippedValues
    }
}

extension ClusterTree {
    /// The same tree over a table whose rows have been put into leaf order.
    public func overRowsInLeafOrder() -> ClusterTree {
        var columns = columns
        columns.leafRows = Column(0..<UInt32(leafCount))
        columns.representatives = Column()
        return ClusterTree(
            firstLeaf: firstLeaf, minZoom: minZoom, columns: columns, groups: groups,
            attributes: attributes, skippedValues: skippedValues)
    }
}
