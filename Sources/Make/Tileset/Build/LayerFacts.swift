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
    /// The cluster with the most points among those drawn where a map opens.
    private(set) var largest: (points: Int, position: WorldPoint)?
    /// The zoom at which a map opens.
    let opening: UInt8

    /// - Parameter opening: the zoom at which a map opens.
    init(
        _ name: String, firstLeaf: Int, groupCount: Int, attributes: [ClusterAttribute],
        extras: LayerExtras, opening: UInt8
    ) {
        self.extras = extras
        self.name = name
        self.firstLeaf = firstLeaf
        self.groupCount = groupCount
        self.attributes = attributes
        self.opening = opening
    }

    /// Adds some leaves and clusters of the layer.
    mutating func include(_ layer: DrawnLayer, leaves: Range<Int>, clusters: Range<Int>) {
        let tree = layer.tree
        leafCount += leaves.count
        clusterCount += clusters.count
        for cluster in clusters {
            deepestZoom = max(deepestZoom, Int(tree.zooms[cluster]))
            guard Int(tree.parentZooms[cluster]) < Int(opening) + 2,
                tree.zooms[cluster] >= opening, tree.leaves[cluster] > largest?.points ?? 0
            else { continue }
            let position = WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster])
            largest = (tree.leaves[cluster], position)
        }
        tree.attributes.forEachRecord(of: clusters) { _, record in
            var cursor = record.makeCursor()
            while let attribute = cursor.next() { carriedKeys.insert(attribute.key) }
        }
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
        if let other = later.largest, other.points > largest?.points ?? 0 { largest = other }
    }

    /// Writes the facts gathered from clusters and leaves.
    func write(to sink: inout BlockSink) {
        let carried = carriedKeys.map { Int($0.number) }.sorted()
        sink.write(leafCount, clusterCount, deepestZoom, carried)
        sink.write(largest.map { [$0] } ?? []) { sink, largest in
            sink.write(largest.points, largest.position.x, largest.position.y)
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
        let found = try source.array { (source) throws(BlockSource.Damaged) in
            (
                points: try source.int(),
                position: WorldPoint(x: try source.double(), y: try source.double())
            )
        }
        largest = found.first
    }

    /// The names of what clusters' features carry besides what the index stores: attributes that
    /// were asked for, aggregates, and inherited attributes.
    func carries(_ keyNames: [String]) -> [String] {
        attributes.filter(\.isOnRequest).map(\.name)
            + carriedKeys.map { keyNames[Int($0.number)] }.sorted()
    }

    var leaves: Range<Int64> { Int64(firstLeaf)..<Int64(firstLeaf + leafCount) }
}
