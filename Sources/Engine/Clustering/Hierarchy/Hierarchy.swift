import ParallelColumns
import Points

/// The clusters of one hierarchy in the order in which they form, children before parents.
struct Hierarchy: Sendable {
    let sites: Sites
    private(set) var x = Column<Double>()
    private(set) var y = Column<Double>()
    /// The zoom at which a cluster formed.
    private(set) var zoom = Column<UInt8>()
    private(set) var points = Column<Int>()
    /// The weight of a cluster; empty if weights do not count.
    private(set) var weight = Column<Double>()
    /// The point that represents a cluster; empty if that is the point that it grew from.
    private(set) var representative = Column<UInt32>()
    private(set) var children = Column<NodeReference>()
    private var childEnds = Column<UInt32>()
    /// The number of clusters after each zoom. No cluster is a child of another of its own zoom.
    private(set) var zoomEnds: [Int] = []
    /// The first cluster of the zoom that is being worked on.
    private var openZoomStart = 0
    /// The nodes that are left at the shallowest zoom.
    var roots = Column<NodeReference>()
    private(set) var dissolvedCount = 0
    /// The points that stand for clusters whose members are elsewhere; those clusters come first.
    private(set) var givenPoints: [UInt32] = []

    var count: Int { x.count }

    /// The zoom of a cluster that merged again at the zoom at which it had formed.
    static let dissolved = UInt8.max

    init(sites: Sites) {
        self.sites = sites
        // Unused addresses cost nothing, and columns that never move leave no gaps behind. Few clusters have a
        // single child.
        let limit = sites.points.count
        x = Column(capacity: limit)
        y = Column(capacity: limit)
        zoom = Column(capacity: limit)
        points = Column(capacity: limit)
        childEnds = Column(capacity: limit)
        children = Column(capacity: 2 * limit)
    }

    @inline(__always)
    func childRange(of cluster: Int) -> Range<Int> {
        Int(cluster == 0 ? 0 : childEnds[cluster - 1])..<Int(childEnds[cluster])
    }

    /// Whether a cluster merged again at the zoom at which it had formed: it is never drawn, and
    /// its children are those of the cluster that took it in.
    @inline(__always)
    func isDissolved(_ cluster: Int) -> Bool { zoom[cluster] == Self.dissolved }

    /// Whether a node is a cluster of the zoom that is being worked on.
    @inline(__always)
    func isOfOpenZoom(_ node: NodeReference) -> Bool {
        node.isCluster && node.number >= openZoomStart
    }

    mutating func endZoom() {
        zoomEnds.append(count)
        openZoomStart = count
    }
}

extension Hierarchy {
    /// Room at the end of a hierarchy, for workers to fill before it is read.
    struct Room: Sendable {
        /// The numbers of the clusters that have room.
        let clusters: Range<Int>
        /// The indexes of their children.
        let children: Range<Int>
        let xs: SharedColumn<Double>
        let ys: SharedColumn<Double>
        let zooms: SharedColumn<UInt8>
        let points: SharedColumn<Int>
        let weights: SharedColumn<Double>?
        let representatives: SharedColumn<UInt32>?
        let childColumn: SharedColumn<NodeReference>
        let childEnds: SharedColumn<UInt32>
    }

    /// Makes room for the clusters of a pass; nothing else may be added while the room is in use.
    mutating func makeRoom(
        for formation: ClusterFormation, represented: Bool
    ) -> Room {
        let (first, firstChild) = (count, children.count)
        let added = formation.clusterCount
        unsafe x.append(uninitialized: added)
        unsafe y.append(uninitialized: added)
        unsafe zoom.append(uninitialized: added)
        unsafe points.append(uninitialized: added)
        unsafe childEnds.append(uninitialized: added)
        if formation.level.weight != nil { unsafe weight.append(uninitialized: added) }
        if represented { unsafe representative.append(uninitialized: added) }
        for part in formation.parts {
            unsafe children.append(uninitialized: part.childCount)
            dissolvedCount += part.dissolvedCount
        }
        return Room(
            clusters: first..<count, children: firstChild..<children.count,
            xs: SharedColumn(filling: &x),
            ys: SharedColumn(filling: &y),
            zooms: SharedColumn(filling: &zoom),
            points: SharedColumn(filling: &points),
            weights: formation.level.weight == nil
                ? nil : SharedColumn(filling: &weight),
            representatives: represented
                ? SharedColumn(filling: &representative) : nil,
            childColumn: SharedColumn(filling: &children),
            childEnds: SharedColumn(filling: &childEnds))
    }

    /// Adds a cluster of one site.
    mutating func append(
        _ index: Int, of level: Level, representative point: UInt32?, zoom formed: Int
    ) {
        x.append(level.x[index])
        y.append(level.y[index])
        zoom.append(UInt8(formed))
        points.append(level.points[index])
        if level.weight != nil { weight.append(level.weight(of: index)) }
        if let point { representative.append(point) }
        children.append(level.node[index])
        childEnds.append(UInt32(children.count))
    }

    /// Adds a cluster whose members are elsewhere.
    mutating func append(
        _ given: FrontierCluster, at point: UInt32, isRepresentative: Bool, weighted: Bool
    ) {
        givenPoints.append(point)
        x.append(given.x)
        y.append(given.y)
        zoom.append(given.zoom)
        points.append(given.points)
        if weighted { weight.append(given.weight) }
        if isRepresentative { representative.append(point) }
        childEnds.append(UInt32(children.count))
    }
}
