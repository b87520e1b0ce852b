import Recipes
import Clustering
import Geometry
import ParallelColumns
import Points

/// Where tiles past the cluster zooms would be too full, and which clusters therefore hold together.
///
/// A cluster holds at a zoom if any of its points lies in a crowded tile there. This is decided by
/// cluster and not by tile, so that a point whose neighbours lie across a tile's edge is drawn
/// exactly once.
struct Crowding {
    /// For each leaf of a layer the deepest zoom at which its tile is crowded; 0 where none is.
    private let depths: [Int8]
    private let clusterMaxZoom: Int

    /// How many points a tile may show.
    static func limit(_ options: TileOptions, featureBytes: Double) -> Int {
        min(options.maxFeatures ?? .max, max(1, Int(Double(options.maxBytes) / featureBytes)))
    }

    /// The leaves of the fullest tile of a zoom among the nodes with these numbers.
    ///
    /// Nodes lie along the Hilbert curve, so a tile's are together.
    static func fullestTile(
        in nodes: TileNodes, numbers: Range<Int>, zoom: Int
    ) -> [UInt32] {
        let shift = UInt64(32 - zoom)
        var fullest: (start: Int, count: Int) = (0, 0)
        var here: (tile: (UInt64, UInt64), start: Int, count: Int) = ((.max, .max), 0, 0)
        for row in 0..<nodes.count where numbers.contains(Int(nodes.numbers[row])) {
            let tile = (UInt64(nodes.xs[row]) >> shift, UInt64(nodes.ys[row]) >> shift)
            if here.tile != tile { here = (tile, row, 0) }
            here.count += 1
            if here.count > fullest.count { fullest = (here.start, here.count) }
        }
        var leaves: [UInt32] = []
        var row = fullest.start
        while leaves.count < fullest.count {
            if numbers.contains(Int(nodes.numbers[row])) { leaves.append(nodes.numbers[row]) }
            row += 1
        }
        return leaves
    }

    /// Looks at the points of a layer that was clustered down to `zooms.upperBound`.
    /// - Parameter zooms: those past the cluster zooms.
    init(of layer: DrawnLayer, zooms: ClosedRange<Int>, limit: Int, threads: Int) {
        self.init(
            of: layer.tree.leafCount, zooms: zooms, limit: limit, threads: threads
        ) { layer.position(ofLeaf: $0) }
    }

    /// Looks at so many points.
    init(
        of count: Int, zooms: ClosedRange<Int>, limit: Int, threads: Int,
        position: @Sendable (Int) -> WorldPoint
    ) {
        clusterMaxZoom = zooms.lowerBound - 1
        let deep = UInt8(zooms.upperBound)
        depths = Workers.with(threads, expecting: HilbertSort.scratch * count) { workers in
            let leaves = HilbertSort.sorted(
                count, zoom: deep, workers: workers
            ) { leaf in
                let position = position(leaf)
                return (TileGrid.fixed(position.x), TileGrid.fixed(position.y))
            }
            var depths = [Int8](repeating: 0, count: leaves.count)
            for zoom in zooms {
                Self.forEachTile(leaves, sortedAt: deep, zoom: UInt8(zoom)) { tile in
                    guard tile.count > limit else { return }
                    for index in tile { depths[Int(leaves[index].item)] = Int8(zoom) }
                }
            }
            return depths
        }
    }

    /// Calls `body` with the stretch of leaves of each tile.
    private static func forEachTile(
        _ leaves: SharedColumn<SortEntry>, sortedAt deep: UInt8, zoom: UInt8,
        _ body: (Range<Int>) -> Void
    ) {
        func cell(_ index: Int) -> UInt64 {
            HilbertSort.cell(of: leaves[index].key, at: deep, zoom: zoom)
        }
        var start = 0
        while start < leaves.count {
            let here = cell(start)
            var end = start + 1
            while end < leaves.count, cell(end) == here { end += 1 }
            body(start..<end)
            start = end
        }
    }

    /// The layer's tree with clusters past the cluster zooms only where tiles are crowded.
    func thinned(_ tree: ClusterTree) -> ClusterTree {
        let held = heldZooms(of: tree) { $0 }
        return tree.holding { held[$0] }
    }

    /// A cell's piece with clusters past the cluster zooms only where tiles are crowded; its rows are the
    /// points that were looked at.
    func thinned(_ piece: CellPiece, cutZoom: Int) -> CellPiece {
        let tree = piece.tree(cutZoom: cutZoom)
        let held = heldZooms(of: tree) { Int(tree.leafRows[$0]) }
        return piece.holding(cutZoom: cutZoom) { held[$0] }
    }

    /// The deepest zoom at which each cluster is drawn.
    private func heldZooms(of tree: ClusterTree, _ point: (_ leaf: Int) -> Int) -> [Int8] {
        var held = [Int8](repeating: 0, count: tree.clusterCount)
        for leaf in 0..<tree.leafCount {
            if let parent = tree.parent(of: .leaf(leaf)) {
                held[parent] = max(held[parent], depths[point(leaf)])
            }
        }
        // Children come after their parents, so this way each is complete before it is handed up.
        for cluster in stride(from: tree.clusterCount - 1, through: 0, by: -1) {
            if let parent = tree.parent(of: .cluster(cluster)) {
                held[parent] = max(held[parent], held[cluster])
            }
        }
        // Away from the crowd a cluster comes apart where the cluster zooms end.
        return held.indices.map { min(tree.zooms[$0], max(held[$0], Int8(clusterMaxZoom))) }
    }

    /// How many points a tile of a layer may show; nil if the fullest shows no more.
    /// - Parameter rows: the points of the fullest tile.
    static func pointLimit(
        of table: PointTable, named name: String, fullestTile rows: [Int], _ tiles: TileOptions,
        featureBytes: Double
    ) -> Int? {
        var limit = tiles.maxFeatures ?? .max
        if needsSample(rows.count, tiles, featureBytes: featureBytes) {
            let bytes = SampleTile.bytes(
                of: table, named: name, rows: rows, compression: tiles.compression)
            if bytes > tiles.maxBytes { limit = min(limit, rows.count * tiles.maxBytes / bytes) }
        }
        return rows.count > limit ? max(limit, 1) : nil
    }

    /// Whether so many points in a tile may be too many bytes.
    static func needsSample(_ points: Int, _ tiles: TileOptions, featureBytes: Double) -> Bool {
        // A point with its attributes seldom compresses to less than a sixth of the limit's share.
        featureBytes * Double(points) > Double(tiles.maxBytes) / 3
    }
}
