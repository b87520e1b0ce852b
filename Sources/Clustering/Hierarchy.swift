import Points

/// The clusters of one hierarchy in the order in which they form, children before parents.
struct Hierarchy: Sendable {
    let places: Places
    private(set) var x = Column<Double>()
    private(set) var y = Column<Double>()
    /// The zoom at which a cluster formed.
    private(set) var zoom = Column<UInt8>()
    private(set) var points = Column<UInt32>()
    /// Where weights count.
    private(set) var weight = Column<Double>()
    /// The point that stands for a cluster, where that is not the one that it grew from.
    private(set) var representative = Column<UInt32>()
    private(set) var children = Column<NodeReference>()
    private var childEnds = Column<UInt32>()
    /// How many clusters there were after each zoom. None is a child of another of its zoom.
    private(set) var zoomEnds: [Int] = []
    /// What is left at the shallowest zoom.
    var roots = Column<NodeReference>()

    var count: Int { x.count }

    private(set) var dissolvedCount = 0

    init(places: Places) {
        self.places = places
        // Addresses cost nothing, and columns that never move leave no gaps behind. Few clusters
        // have a single child.
        let limit = places.points.count
        x = Column(capacity: limit)
        y = Column(capacity: limit)
        zoom = Column(capacity: limit)
        points = Column(capacity: limit)
        childEnds = Column(capacity: limit)
        children = Column(capacity: 2 * limit)
    }

    func childRange(of cluster: Int) -> Range<Int> {
        Int(cluster == 0 ? 0 : childEnds[cluster - 1])..<Int(childEnds[cluster])
    }

    mutating func endZoom() { zoomEnds.append(count) }

    /// Whether a cluster merged again at the zoom at which it had formed: it is never drawn, and
    /// its children are those of the cluster that took it in.
    func isDissolved(_ cluster: Int) -> Bool { zoom[cluster] == Self.dissolved }

    private static let dissolved = UInt8.max

    mutating func append(_ batch: ClusterBatch, zoom formed: Int) {
        for cluster in batch.dissolved { zoom[Int(cluster)] = Self.dissolved }
        dissolvedCount += batch.dissolved.count
        let firstChild = UInt32(children.count)
        for end in batch.childEnds {
            childEnds.append(firstChild + end)
            zoom.append(UInt8(formed))
        }
        x.append(contentsOf: batch.x.span)
        y.append(contentsOf: batch.y.span)
        points.append(contentsOf: batch.points.span)
        weight.append(contentsOf: batch.weight.span)
        representative.append(contentsOf: batch.representative.span)
        children.append(contentsOf: batch.children.span)
    }
}

/// Clusters that one worker formed in one pass, before they join the hierarchy.
struct ClusterBatch: Sendable {
    var x: [Double] = []
    var y: [Double] = []
    /// Where it will be looked for; empty if that is where it is drawn.
    var searchX: [Double] = []
    var searchY: [Double] = []
    /// The nodes of the level that they grew from.
    var leads: [UInt32] = []
    var points: [UInt32] = []
    var rank: [UInt32] = []
    var places: [UInt32] = []
    var weight: [Double] = []
    var representative: [UInt32] = []
    var children: [NodeReference] = []
    var childEnds: [UInt32] = []
    /// Clusters of an earlier pass at the same zoom that these took in.
    var dissolved: [UInt32] = []

    var count: Int { x.count }

    /// Makes room for about that many clusters.
    mutating func reserve(_ count: Int) {
        x.reserveCapacity(count)
        y.reserveCapacity(count)
        leads.reserveCapacity(count)
        points.reserveCapacity(count)
        rank.reserveCapacity(count)
        children.reserveCapacity(3 * count)
        childEnds.reserveCapacity(count)
    }
}
