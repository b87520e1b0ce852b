import Recipes
import Clustering
import Geometry
import ParallelColumns

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
        clusterMaxZoom = zooms.lowerBound - 1
        let deep = UInt8(zooms.upperBound)
        let count = layer.tree.leafCount
        depths = Workers.with(threads, expecting: HilbertSort.scratch * count) { workers in
            let leaves = HilbertSort.sorted(
                count, zoom: deep, workers: workers
            ) { leaf in
                let position = layer.position(ofLeaf: leaf)
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
        var held = [Int8](repeating: 0, count: tree.clusterCount)
        for (leaf, depth) in depths.enumerated() {
            if let parent = tree.parent(of: .leaf(leaf)) { held[parent] = max(held[parent], depth) }
        }
        // Children come after their parents, so this way each is complete before it is handed up.
        for cluster in stride(from: tree.clusterCount - 1, through: 0, by: -1) {
            if let parent = tree.parent(of: .cluster(cluster)) {
                held[parent] = max(held[parent], held[cluster])
            }
        }
        return tree.holding { cluster in
            // Away from the crowd a cluster comes apart where the cluster zooms end.
            min(tree.zooms[cluster], max(held[cluster], Int8(clusterMaxZoom)))
        }
    }
}
