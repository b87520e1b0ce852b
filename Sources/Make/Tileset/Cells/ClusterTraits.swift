import ArchiveContract
import Clustering
import Geometry
import Points
import Recipes

/// What drawing a cluster needs from outside its cell: box, site, parent. Columns that were not asked for
/// are empty.
struct ClusterTraits: Sendable {
    /// The box around the points of each.
    var boxes = Column<Double>()
    /// 1 where all points share one site.
    var sites = Column<UInt8>()
    /// The first leaf of each one's parent, the zoom at which that formed, and where it stands; `noParent`
    /// for roots.
    var parentFirsts = Column<UInt32>()
    var parentZooms = Column<Int8>()
    var parentXs = Column<Double>()
    var parentYs = Column<Double>()

    static let noParent = ClusterTree.noParent

    /// The cluster that a cluster goes into.
    struct Parent {
        var first: UInt32
        var zoom: Int
        var place: WorldPoint
    }

    /// Which of them a layer's features carry.
    struct Wanted {
        let boxes: Bool
        let sites: Bool
        let parents: Bool

        init(by layer: Recipe.Layer) {
            let fields = layer.clusters?.fields ?? []
            boxes = fields.contains(.bbox)
            sites = fields.contains(.uniqueLocation)
            parents = fields.contains { [.parent, .parentDX, .parentDY].contains($0) }
        }
    }

    init() {}

    /// Those of all clusters of a tree.
    init(of tree: ClusterTree, in points: PointTable, _ wanted: Wanted) {
        if wanted.boxes { for box in tree.boxes(in: points) { append(box) } }
        for cluster in 0..<tree.clusterCount {
            if wanted.sites { sites.append(tree.isOneSite(cluster, in: points) ? 1 : 0) }
            guard wanted.parents else { continue }
            let parent = tree.parents[cluster]
            guard parent != ClusterTree.noParent else {
                appendParent(nil)
                continue
            }
            appendParent(Parent(Int(parent), of: tree))
        }
    }

    mutating func append(_ box: WorldBox) {
        for edge in [box.minX, box.minY, box.maxX, box.maxY] { boxes.append(edge) }
    }

    mutating func appendParent(_ parent: Parent?) {
        parentFirsts.append(parent?.first ?? Self.noParent)
        parentZooms.append(Int8(parent?.zoom ?? -1))
        parentXs.append(parent?.place.x ?? 0)
        parentYs.append(parent?.place.y ?? 0)
    }

    /// Appends those of a cluster of others.
    mutating func append(_ cluster: Int, of other: ClusterTraits) {
        if !other.boxes.isEmpty { append(other.box(of: cluster)) }
        if !other.sites.isEmpty { sites.append(other.sites[cluster]) }
        if !other.parentFirsts.isEmpty { appendParent(other.parent(of: cluster)) }
    }

    mutating func append(_ other: ClusterTraits) {
        boxes.append(contentsOf: other.boxes.span)
        sites.append(contentsOf: other.sites.span)
        parentFirsts.append(contentsOf: other.parentFirsts.span)
        parentZooms.append(contentsOf: other.parentZooms.span)
        parentXs.append(contentsOf: other.parentXs.span)
        parentYs.append(contentsOf: other.parentYs.span)
    }

    func box(of cluster: Int) -> WorldBox {
        WorldBox(
            minX: boxes[4 * cluster], minY: boxes[4 * cluster + 1], maxX: boxes[4 * cluster + 2],
            maxY: boxes[4 * cluster + 3])
    }

    func parent(of cluster: Int) -> Parent? {
        guard parentFirsts[cluster] != Self.noParent else { return nil }
        return Parent(
            first: parentFirsts[cluster], zoom: Int(parentZooms[cluster]),
            place: WorldPoint(x: parentXs[cluster], y: parentYs[cluster]))
    }

    mutating func removeParents() {
        (parentFirsts, parentZooms) = (Column(), Column())
        (parentXs, parentYs) = (Column(), Column())
    }

    /// Whether there are as many of each as clusters, or none.
    func fit(_ clusters: Int) -> Bool {
        [
            boxes.count / 4, sites.count, parentFirsts.count, parentZooms.count, parentXs.count,
            parentYs.count,
        ].allSatisfy { $0 == 0 || $0 == clusters }
    }
}

extension ClusterTraits.Parent {
    init(_ cluster: Int, of tree: ClusterTree) {
        self.init(
            first: tree.firsts[cluster], zoom: Int(tree.zooms[cluster]),
            place: WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster]))
    }
}

extension BlockSink {
    mutating func write(_ traits: ClusterTraits) {
        write(traits.boxes)
        write(traits.sites)
        write(traits.parentFirsts)
        write(traits.parentZooms)
        write(traits.parentXs)
        write(traits.parentYs)
    }
}

extension BlockSource {
    mutating func clusterTraits(_ clusters: Int) throws(Damaged) -> ClusterTraits {
        var traits = ClusterTraits()
        traits.boxes = try column()
        traits.sites = try column()
        traits.parentFirsts = try column()
        traits.parentZooms = try column()
        traits.parentXs = try column()
        traits.parentYs = try column()
        guard traits.fit(clusters) else { throw Damaged() }
        return traits
    }
}
