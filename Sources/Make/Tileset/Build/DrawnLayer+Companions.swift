import ArchiveContract
import Geometry

/// The features of a layer's companion layers, as nodes of a layout.
extension DrawnLayer {
    /// Sets the nodes of the heat layer, one for each leaf and then for each cluster.
    func setHeat(_ nodes: Range<Int>, in all: TileNodes.Unsorted, from number: Int) {
        for node in nodes {
            let isLeaf = node < tree.leafCount
            let cluster = node - tree.leafCount
            let position = place(of: node)
            let above = isLeaf ? tree.leafParentZooms[node] : tree.parentZooms[cluster]
            // A point is drawn at all deeper zooms; if it ended with the tiles, no deeper zoom would draw it.
            let last = isLeaf ? Int.max : Int(zooms[cluster])
            let zooms = heatZooms(first: Int(above) + 1, last: last)
            all.set(
                number + node, x: position.x, y: position.y, from: zooms.first,
                through: zooms.last)
        }
    }

    /// The position of a leaf, or of a cluster, which are numbered after all leaves.
    func place(of node: Int) -> WorldPoint {
        let cluster = node - tree.leafCount
        return cluster < 0
            ? position(ofLeaf: node) : WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster])
    }

    /// Whether a leaf or cluster comes before another in the heat layer. If neither does, both are
    /// drawn alike.
    func member(_ node: Int, precedes other: Int) -> Bool {
        let (a, b) = (place(of: node), place(of: other))
        guard a == b else { return (a.y, a.x) < (b.y, b.x) }
        return points(of: node) < points(of: other)
    }

    /// The number of points that a leaf, or a cluster numbered after all leaves, stands for.
    func points(of node: Int) -> Int {
        node < tree.leafCount ? 1 : leaves[node - tree.leafCount]
    }

    /// The zooms of the tiles whose heat layer shows a node that is drawn from one zoom to another.
    ///
    /// A tile shows the nodes drawn two zooms deeper, at the last zoom with clusters at most; a tile of that
    /// zoom shows all points. With all points at one zoom more, one tile would hold those of sixteen.
    private func heatZooms(first: Int, last: Int) -> (first: Int, last: Int) {
        let never = (first: 1, last: 0)
        guard let deepest = extras.heatMaxZoom, first <= deepest + 1 else { return never }
        let finer = CompanionLayer.heatZooms
        let start = first > deepest ? deepest : max(first - finer, 0)
        let end = last > deepest ? deepest : last == deepest ? deepest - 1 : last - finer
        return end < start ? never : (start, end)
    }

    /// Sets the nodes of legs: several for each, along its line, so that every tile that it touches
    /// gets it. A leg is drawn with its point.
    func setLegs(_ steps: Range<Int>, in all: TileNodes.Unsorted, from number: Int) {
        guard let spread else { return }
        for index in steps {
            let step = spread.steps[index]
            all.set(
                number + index, x: step.position.x, y: step.position.y,
                from: Int(tree.leafParentZooms[step.leaf]) + 1, through: extras.maxZoom)
        }
    }

    /// Sets the nodes of bins, one for each tile that a bin is drawn in.
    func setBins(_ steps: Range<Int>, in all: TileNodes.Unsorted, from number: Int) {
        guard let bins else { return }
        for index in steps {
            let step = bins.steps[index]
            // In the middle of the tile, so that no other tile gets it.
            all.set(
                number + index, x: (Double(step.tile.x) + 0.5) * step.tile.width,
                y: (Double(step.tile.y) + 0.5) * step.tile.width, from: Int(step.tile.z),
                through: Int(step.tile.z))
        }
    }
}
