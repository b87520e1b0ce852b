import Points

/// Leaves and clusters without their parents: where each is drawn and what it stands for. This is what one cell
/// has of the tree of the whole world.
public struct LooseNodes: Sendable {
    public var leafParentZooms = Column<Int8>()
    /// The first leaf of each cluster, however the tree's leaves are numbered.
    public var firsts = Column<Int>()
    public var leaves = Column<Int>()
    public var zooms = Column<Int8>()
    public var parentZooms = Column<Int8>()
    public var xs = Column<Double>()
    public var ys = Column<Double>()
    /// Empty where weights do not count.
    public var weights = Column<Double>()

    public init() {}

    public mutating func append(_ other: LooseNodes) {
        leafParentZooms.append(contentsOf: other.leafParentZooms.span)
        firsts.append(contentsOf: other.firsts.span)
        leaves.append(contentsOf: other.leaves.span)
        zooms.append(contentsOf: other.zooms.span)
        parentZooms.append(contentsOf: other.parentZooms.span)
        xs.append(contentsOf: other.xs.span)
        ys.append(contentsOf: other.ys.span)
        weights.append(contentsOf: other.weights.span)
    }
}

extension ClusterTree {
    /// Some nodes of a tree, for drawing. A leaf's row is its place among them.
    public init(drawing nodes: LooseNodes, attributes: AttributeTable) {
        var columns = TreeColumns()
        columns.leafRows = Column(0..<UInt32(nodes.leafParentZooms.count))
        columns.nodes = nodes
        self.init(
            firstLeaf: 0, minZoom: 0, columns: columns, groups: [], attributes: attributes,
            skippedValues: [])
    }
}
