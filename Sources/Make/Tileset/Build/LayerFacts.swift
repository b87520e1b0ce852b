import ArchiveContract
import Geometry
import Points

/// The facts about one layer that an archive states, gathered from its clusters in their order.
struct LayerFacts: Sendable {
    let name: String
    let firstLeaf: Int
    private(set) var leafCount = 0
    private(set) var clusterCount = 0
    var groupCount: Int
    /// The deepest zoom of a cluster.
    private(set) var deepestZoom = 0
    private var carriedKeys: Set<AttributeKey> = []
    private let attributes: [ClusterAttribute]
    let extras: LayerExtras
    /// The bins of the layer.
    var bins: DrawnBins?
    /// Nil if no point is drawn apart.
    private(set) var spread: SpreadExtent?
    /// For each zoom at which a map may open, the cluster with the most points among those drawn there.
    private var largest: [Largest?] = []

    typealias Largest = (points: Int, position: WorldPoint)

    init(
        _ name: String, firstLeaf: Int, groupCount: Int, attributes: [ClusterAttribute],
        extras: LayerExtras
    ) {
        self.extras = extras
        self.name = name
        self.firstLeaf = firstLeaf
        self.groupCount = groupCount
        self.attributes = attributes
    }

    /// Adds some leaves and clusters of the layer.
    mutating func include(_ layer: DrawnLayer, leaves: Range<Int>, clusters: Range<Int>) {
        let tree = layer.tree
        leafCount += leaves.count
        clusterCount += clusters.count
        for cluster in clusters {
            let (zoom, parentZoom) = (Int(tree.zooms[cluster]), Int(tree.parentZooms[cluster]))
            deepestZoom = max(deepestZoom, zoom)
            // A map shows tiles of the zoom at which it opens and of the next.
            for opening in stride(from: max(parentZoom - 1, 0), through: zoom, by: 1) {
                include(at: opening, points: tree.leaves[cluster]) {
                    WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster])
                }
            }
        }
        tree.attributes.forEachRecord(of: clusters) { _, record in
            var cursor = record.makeCursor()
            while let attribute = cursor.next() { carriedKeys.insert(attribute.key) }
        }
    }

    private mutating func include(
        at opening: Int, points: Int, _ position: () -> WorldPoint
    ) {
        while largest.count <= opening { largest.append(nil) }
        if points > largest[opening]?.points ?? 0 { largest[opening] = (points, position()) }
    }

    /// The cluster with the most points among those drawn where a map opens.
    func largest(at opening: UInt8) -> Largest? {
        Int(opening) < largest.count ? largest[Int(opening)] : nil
    }

    /// Adds how far points are drawn apart.
    mutating func include(_ other: SpreadExtent?) { spread = .union(spread, other) }

    /// Adds the facts about the clusters after these.
    mutating func merge(_ later: LayerFacts) {
        leafCount += later.leafCount
        clusterCount += later.clusterCount
        deepestZoom = max(deepestZoom, later.deepestZoom)
        carriedKeys.formUnion(later.carriedKeys)
        include(later.spread)
        for (opening, other) in later.largest.enumerated() {
            guard let other else { continue }
            include(at: opening, points: other.points) { other.position }
        }
    }

    /// Writes the facts gathered from clusters and leaves.
    func write(to sink: inout BlockSink) {
        let carried = carriedKeys.map { Int($0.number) }.sorted()
        sink.write(leafCount, clusterCount, deepestZoom, carried)
        sink.write(largest) { sink, largest in
            let position = largest?.position ?? WorldPoint(x: 0, y: 0)
            sink.write(largest?.points ?? 0, position.x, position.y)
        }
    }

    /// Adds facts that were written to a file.
    /// - Parameter keys: the attributes that the numbers in the file stand for.
    mutating func include(
        _ source: inout BlockSource, _ keys: StoredKeys
    ) throws(BlockSource.Damaged) {
        let carried: [Int]
        (leafCount, clusterCount, deepestZoom, carried) = try source.values()
        for number in carried {
            guard let key = keys.key(ofStored: number) else { throw BlockSource.Damaged() }
            carriedKeys.insert(key)
        }
        largest = try source.array { (source) throws(BlockSource.Damaged) in
            let points = try source.int()
            let position = WorldPoint(x: try source.double(), y: try source.double())
            return points > 0 ? (points, position) : nil
        }
    }

    /// The names of what clusters' features carry besides what the index stores: attributes that
    /// were asked for, aggregates, and inherited attributes.
    func carries(_ keyNames: [String]) -> [String] {
        attributes.filter(\.isOnRequest).map(\.name)
            + carriedKeys.map { keyNames[Int($0.number)] }.sorted()
    }

    var leaves: Range<Int64> { Int64(firstLeaf)..<Int64(firstLeaf + leafCount) }
}
