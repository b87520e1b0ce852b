import ArchiveContract
import Clustering
import Geometry
import Pipelines
import Points
import Recipes
import TileArchive

/// A layer whose points have been read and clustered.
///
/// It is a class so that an encoder retains it in one step: to copy its dozen columns for each
/// feature would cost more than to encode the feature.
final class DrawnLayer: Sendable {
    private let layer: Recipe.Layer
    let name: String
    let table: PointTable
    let tree: ClusterTree
    /// The values that its clusters carry from the clustering itself, in the order of the table.
    let attributes: [ClusterAttribute]
    let countLetters: AbbreviatedCount.Letters
    let extras: LayerExtras
    /// Points that are drawn away from their places; nil if there are none.
    let spread: SpreadPoints?
    /// The bins of the layer.
    let bins: DrawnBins?
    /// The first zoom that may draw its points.
    private let firstZoomOfPoints: Int
    // The columns of the tree that encoding needs for every feature, kept here: a column that the
    // tree returns is retained and released each time.
    let leafRows: Column<UInt32>
    let firsts: Column<Int>
    let leaves: Column<Int>
    let zooms: Column<Int8>
    /// The keys of attributes by whose values points are counted.
    let facetKeys: Set<AttributeKey>
    /// The box of each cluster, if features carry it.
    let boxes: [WorldBox]
    /// The id of each cluster.
    let ids: Column<Int64>
    /// How fine the grid is in which the clusters are named.
    let fineness: Int
    /// The number of its first leaf in the archive.
    let firstLeaf: Int
    /// What features say about the tree around clusters, where the tree is not in memory.
    private let traits: ClusterTraits?

    /// - Parameters:
    ///   - firstLeaf: the number of its first leaf in the archive; nil means that the tree has it.
    ///   - traits: what features say about the tree around clusters, where that is not in memory.
    ///   - shares: which of its leaves share their places.
    init(
        _ layer: Recipe.Layer, table: PointTable, tree: ClusterTree, ids: Column<Int64>,
        extras: LayerExtras, firstLeaf: Int? = nil, traits: ClusterTraits? = nil,
        shares: CoincidentLeaves? = nil, bins: DrawnBins? = nil
    ) {
        self.bins = bins
        // Without clusters, bins stand for the points up to their deepest zoom.
        firstZoomOfPoints = layer.isClustered ? 0 : bins.map { $0.maxZoom + 1 } ?? 0
        self.layer = layer
        self.traits = traits
        self.firstLeaf = firstLeaf ?? tree.firstLeaf
        name = layer.name
        attributes = TilesetBuild.attributes(of: layer)
        countLetters = layer.clusters?.countLetters ?? .small
        fineness = layer.nameFineness
        self.ids = ids
        self.table = table
        self.tree = tree
        self.extras = extras
        facetKeys = layer.facetKeys(among: tree.attributes.keys)
        spread = extras.spread.map { SpreadPoints($0, of: tree, in: table, shares) }
        leafRows = tree.leafRows
        firsts = tree.firsts
        leaves = tree.leaves
        zooms = tree.zooms
        boxes =
            !attributes.contains(.bbox)
            ? []
            : traits.map { traits in (0..<tree.clusterCount).map(traits.box) }
                ?? tree.boxes(in: table, wraps: layer.wraps)
    }

    /// The same layer with its points copied into leaf order: points that are drawn together are
    /// then together in memory, which the later stages read thousands of times.
    func inLeafOrder(threads: Int) throws -> DrawnLayer {
        let pieces = PieceCounter(total: tree.leafCount, size: 1 << 14)
        var sorted = PointTable(keys: table.attributes.keys)
        try OrderedPipeline(threads: threads).run(
            next: { pieces.next() }, state: {},
            work: { _, piece in
                let rows = self.leafRows
                var points = PointTable(keys: self.table.attributes.keys)
                points.append(rows.span.extracting(piece), of: self.table)
                return points
            },
            consume: { sorted.append($0) })
        return DrawnLayer(
            layer, table: sorted, tree: tree.overRowsInLeafOrder(), ids: ids, extras: extras,
            bins: bins)
    }

    /// Whether all points of a cluster share one site.
    func isOneSite(_ cluster: Int) -> Bool {
        traits.map { $0.sites[cluster] == 1 } ?? tree.isOneSite(cluster, in: table)
    }

    /// Whether a leaf comes before another one: by row and column, and at one place in the order of
    /// the archive, which is group by group.
    func leaf(_ leaf: Int, precedes other: Int) -> Bool {
        let (a, b) = (position(ofLeaf: leaf), position(ofLeaf: other))
        guard a == b else { return (a.y, a.x) < (b.y, b.x) }
        return leaf < other
    }

    /// The position of a leaf's point.
    func position(ofLeaf leaf: Int) -> WorldPoint { table.position(of: Int(leafRows[leaf])) }

    /// Sets the nodes of some points, each drawn from the zoom at which its cluster comes apart
    /// down to the deepest zoom; `number` is that of the layer's first.
    func setLeaves(
        _ leaves: Range<Int>, in nodes: TileNodes.Unsorted, from number: Int, maxZoom: UInt8
    ) {
        let parentZooms = tree.leafParentZooms
        let (xs, ys) = (table.xs, table.ys)
        for leaf in leaves {
            let row = Int(leafRows[leaf])
            let drawn = spread?.position(ofLeaf: leaf) ?? WorldPoint(x: xs[row], y: ys[row])
            nodes.set(
                number + leaf, x: drawn.x, y: drawn.y,
                from: max(Int(parentZooms[leaf]) + 1, firstZoomOfPoints),
                through: Int(maxZoom))
        }
    }

    /// Sets the nodes of some clusters; `number` is that of the first.
    func setClusters(_ clusters: Range<Int>, in nodes: TileNodes.Unsorted, from number: Int) {
        let (xs, ys, parentZooms) = (tree.xs, tree.ys, tree.parentZooms)
        for cluster in clusters {
            nodes.set(
                number + cluster, x: xs[cluster], y: ys[cluster],
                from: Int(parentZooms[cluster]) + 1, through: Int(zooms[cluster]))
        }
    }
}

extension ClusterTree {
    /// How many clusters are drawn at zooms past the given one.
    func count(formedPast zoom: Int) -> Int {
        var count = 0
        let zooms = zooms.span
        for cluster in zooms.indices where Int(zooms[cluster]) > zoom { count += 1 }
        return count
    }
}
