import Points

/// Puts the pieces of all cells under the clusters above them: one tree, numbered as if it had never
/// been cut.
struct PieceJoin {
    private(set) var columns: TreeColumns
    private let pieces: [CellPiece]
    private let top: TopTree
    /// For each cluster the piece that has it, the top coming after the last, and its number there.
    private var sources: [(piece: Int, number: Int)]

    init(_ pieces: [CellPiece], _ top: TopTree, _ options: ClusterOptions) {
        self.pieces = pieces
        self.top = top
        let leafCount = pieces.reduce(0) { $0 + $1.columns.leafRows.count }
        let clusterCount = pieces.reduce(top.clusters.count) { $0 + $1.columns.firsts.count }
        // Each leaf and each cluster belongs to one root or to the top, so each is written once.
        columns = unsafe TreeColumns(
            uninitializedLeaves: leafCount, clusters: clusterCount, weighted: options.weighted,
            represented: false)
        sources = Array(repeating: (0, 0), count: clusterCount)
        var row = 0
        for piece in pieces.indices {
            for root in pieces[piece].roots {
                write(root, of: piece, at: top.placements[row])
                row += 1
            }
        }
        for index in top.clusters.indices { write(index) }
    }

    private mutating func write(
        _ root: CellPiece.Root, of piece: Int, at place: TopTree.Placement
    ) {
        let source = pieces[piece].columns
        let leafStart = Int(place.leaf) - root.leaves.lowerBound
        let clusterStart = Int(place.cluster) - root.clusters.lowerBound
        for leaf in root.leaves {
            let target = leaf + leafStart
            let parent = source.leafParents[leaf]
            let isRoot = parent == ClusterTree.noParent
            columns.leafRows[target] = source.leafRows[leaf]
            columns.leafParents[target] =
                isRoot ? place.parent : UInt32(Int(parent) + clusterStart)
            columns.leafParentZooms[target] =
                isRoot ? place.parentZoom : source.leafParentZooms[leaf]
        }
        for cluster in root.clusters {
            let target = cluster + clusterStart
            let parent = source.parents[cluster]
            let isRoot = parent == ClusterTree.noParent
            sources[target] = (piece, cluster)
            columns.firsts[target] = UInt32(Int(source.firsts[cluster]) + leafStart)
            columns.leaves[target] = source.leaves[cluster]
            columns.zooms[target] = source.zooms[cluster]
            columns.parents[target] = isRoot ? place.parent : UInt32(Int(parent) + clusterStart)
            columns.parentZooms[target] = isRoot ? place.parentZoom : source.parentZooms[cluster]
            columns.xs[target] = source.xs[cluster]
            columns.ys[target] = source.ys[cluster]
            if !columns.weights.isEmpty { columns.weights[target] = source.weights[cluster] }
        }
    }

    /// Writes a cluster that formed above the cells.
    private mutating func write(_ index: Int) {
        let cluster = top.clusters[index]
        let target = Int(cluster.place.cluster)
        sources[target] = (pieces.count, index)
        columns.firsts[target] = cluster.place.leaf
        columns.leaves[target] = cluster.points
        columns.zooms[target] = cluster.zoom
        columns.parents[target] = cluster.place.parent
        columns.parentZooms[target] = cluster.place.parentZoom
        columns.xs[target] = cluster.x
        columns.ys[target] = cluster.y
        if !columns.weights.isEmpty { columns.weights[target] = cluster.weight }
    }

    /// Appends the records of all clusters in their order.
    func append(to table: inout AttributeTable) {
        for source in sources {
            let records =
                source.piece < pieces.count ? pieces[source.piece].attributes : top.attributes
            table.append(record: source.number, of: records)
        }
    }
}
