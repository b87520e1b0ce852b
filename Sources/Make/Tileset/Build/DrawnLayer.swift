import ArchiveContract
import Clustering
import Geometry
import Pipelines
import Points
import Recipes
import TileArchive

/// A layer whose points have been read and clustered.
///
/// A class, so that an encoder takes hold of it in one step: a copy of its dozen columns for each
/// feature would cost more than encoding the feature.
final class DrawnLayer: Sendable {
    private let layer: Recipe.Layer
    let name: String
    let table: PointTable
    let tree: ClusterTree
    /// What its clusters carry from the clustering itself, in the order of the table.
    let attributes: [ClusterAttribute]
    let countLetters: AbbreviatedCount.Letters
    let extras: LayerExtras
    /// Points that are drawn elsewhere than they lie; nil where all are drawn at their places.
    let spread: SpreadPoints?
    /// The bins beside it.
    let bins: DrawnBins?
    /// The first zoom that may draw its points.
    private let firstZoomOfPoints: Int
    // What encoding asks of the tree for every feature, at hand: a column handed over by the tree
    // is counted in and out each time.
    let leafRows: Column<UInt32>
    let firsts: Column<Int>
    let leaves: Column<Int>
    let zooms: Column<Int8>
    /// The keys of counts by value.
    let facetKeys: Set<AttributeKey>
    /// The box of each cluster, where its feature carries it.
    let boxes: [WorldBox]
    /// The id of each cluster.
    let ids: Column<Int64>
    /// How fine the grid is in which they are named.
    let fineness: Int
    /// The number of its first leaf in the archive.
    let firstLeaf: Int
    /// The number that layouts know its first leaf by: the same, where the whole layer is here.
    let firstNumber: Int
    /// What clusters say of the tree around them, where the tree is not here.
    private let traits: ClusterTraits?

    convenience init(
        _ layer: Recipe.Layer, table: PointTable, tree: ClusterTree, ids: Column<Int64>,
        extras: LayerExtras, bins: DrawnBins?
    ) {
        self.init(
            layer, table: table, tree: tree, ids: ids, extras: extras, firstLeaf: tree.firstLeaf,
            firstNumber: tree.firstLeaf, traits: nil, bins: bins)
    }

    /// - Parameters:
    ///   - traits: what clusters say of the tree around them, where it is not here.
    ///   - shares: which of its leaves lie where others do.
    init(
        _ layer: Recipe.Layer, table: PointTable, tree: ClusterTree, ids: Column<Int64>,
        extras: LayerExtras, firstLeaf: Int, firstNumber: Int, traits: ClusterTraits?,
        shares: CoincidentLeaves? = nil, bins: DrawnBins? = nil
    ) {
        self.bins = bins
        // Without clusters, bins stand for the points until these take over.
        firstZoomOfPoints = layer.isClustered ? 0 : bins.map { $0.maxZoom + 1 } ?? 0
        self.layer = layer
        self.traits = traits
        self.firstLeaf = firstLeaf
        self.firstNumber = firstNumber
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
                ?? tree.boxes(in: table)
    }

    /// The same layer with its points copied into leaf order: what is drawn together then lies
    /// together in memory, and is met thousands of times by the stages that follow.
    func inLeafOrder(threads: Int) throws -> DrawnLayer {
        let pieces = PieceCounter(total: tree.leafCount, size: 1 << 14)
        var sorted = PointTable(keys: table.attributes.keys)
        try OrderedPipeline(threads: threads).run(
            next: { pieces.next() }, state: {},
            work: { _, piece in
                let rows = self.leafRows
                return PointBatch(rows.span.extracting(piece), of: self.table)
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

    /// Whether a leaf comes before another one: by row and column, and at one place as the archive has them, which is
    /// group by group.
    func leaf(_ leaf: Int, precedes other: Int) -> Bool {
        let (a, b) = (position(ofLeaf: leaf), position(ofLeaf: other))
        guard a == b else { return (a.y, a.x) < (b.y, b.x) }
        return leaf < other
    }

    /// Where a leaf's point lies.
    func position(ofLeaf leaf: Int) -> WorldPoint { table.position(of: Int(leafRows[leaf])) }

    /// Sets the nodes of some points, each drawn from where its cluster came apart down to the
    /// deepest zoom.
    func setLeaves(_ leaves: Range<Int>, in nodes: TileNodes.Unsorted, maxZoom: UInt8) {
        let parentZooms = tree.leafParentZooms
        let (xs, ys) = (table.xs, table.ys)
        for leaf in leaves {
            let row = Int(leafRows[leaf])
            let drawn = spread?.position(ofLeaf: leaf) ?? WorldPoint(x: xs[row], y: ys[row])
            nodes.set(
                firstNumber + leaf, x: drawn.x, y: drawn.y,
                from: max(Int(parentZooms[leaf]) + 1, firstZoomOfPoints),
                through: Int(maxZoom))
        }
    }

    /// Sets the nodes of some clusters, the first of which has that number.
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
    /// How many clusters are drawn at zooms past that one.
    func count(formedPast zoom: Int) -> Int {
        var count = 0
        let zooms = zooms.span
        for cluster in zooms.indices where Int(zooms[cluster]) > zoom { count += 1 }
        return count
    }
}
