import Geometry
import ParallelColumns
import Points

/// The clusters of a square over the frontiers of the cells in it and around it: a cell of a level above them.
///
/// All nodes that stand in the square, or no further from it than its task says, are as in the whole world.
public struct UpperTree: Sendable {
    /// The tree; the leaves of the nodes that are handed up come first.
    public let tree: TopTree
    /// The nodes of the square that are left at the cut zoom.
    public let nodes: Frontier
    /// The first leaf of each of these nodes, in their order.
    public let firstLeaves: Column<Int>
    /// How many leaves they have.
    public let leafCount: Int
    /// The clusters that formed here and stand in the square, whichever square's nodes they are members of.
    public let standing: [CellPiece.StandingCluster]

    /// Clusters a square once, up to its cut zoom.
    /// - Parameters:
    ///   - nodes: all nodes that stand on the ground that the task knows.
    ///   - zoom: the zoom at which they were handed up.
    ///   - group: the value that the points of the hierarchy share, if points are grouped.
    ///   - task: the square, and what is known around it.
    ///   - options: how the layer is clustered.
    ///   - threads: how many threads may work.
    public static func attempt(
        of nodes: Frontier, cutAt zoom: Int, group: AttributeValue?, _ task: CellTask,
        options: ClusterOptions, threads: Int
    ) throws -> UpperTree {
        var options = options
        options.minZoom = task.cutZoom
        let input = try ClusterInput(above: zoom, nodes, options)
        return try HierarchyBuilder.attempt(input, for: task, threads: threads) { part, workers in
            UpperTree(part, nodes, input.options, group, workers)
        }
    }

    private init(
        _ part: HierarchyBuilder.Part, _ given: Frontier, _ options: ClusterOptions,
        _ group: AttributeValue?, _ workers: Workers
    ) {
        let hierarchy = part.hierarchy
        let numbering = TopNumbering(hierarchy, given, minZoom: options.minZoom)
        let own = (0..<part.ownCount).map { hierarchy.roots[$0] }
        let clusters = own.filter(\.isCluster).map(\.number)
        let reduction = TopReduction(hierarchy, given, roots: clusters, options, workers)
        tree = TopTree(numbering, reduction, group)
        nodes = Frontier(
            own, of: hierarchy, in: given.points, options,
            clusters: clusters.map { (Int(numbering.seeds[$0]), numbering.sizes[$0]) },
            states: reduction.rootStates, given: GivenClusters(given)
        ) { Int($0) }
        let all = numbering.firstLeaves
        leafCount =
            nodes.points.count < all.count
            ? all[nodes.points.count] : numbering.leafCount
        firstLeaves = Column((0..<nodes.points.count).map { all[$0] })
        standing = tree.clusters.compactMap { cluster in
            let position = WorldPoint(x: cluster.x, y: cluster.y)
            guard TileID(holding: position, zoom: part.cell.z) == part.cell else { return nil }
            return CellPiece.StandingCluster(
                position: position, zoom: Int(cluster.zoom), leaves: cluster.points,
                seed: given.points.position(of: Int(cluster.seed)))
        }
    }

    /// The node of the square that a leaf is below, and the number of its leaves that come before; nil for leaves
    /// of other nodes.
    public func root(ofLeaf leaf: Int) -> (root: Int, offset: Int)? {
        guard leaf < leafCount else { return nil }
        let root = (0..<firstLeaves.count).partitionPoint { firstLeaves[$0] > leaf } - 1
        return (root, leaf - firstLeaves[root])
    }
}

extension Frontier {
    /// The nodes in some rows, in the order of these rows.
    /// - Parameter rows: ascending.
    /// - Returns: these nodes, and the indexes of their clusters.
    public func selecting(_ rows: [UInt32]) -> (nodes: Frontier, clusters: [Int]) {
        var selection = Frontier(keys: points.attributes.keys)
        var indexes: [Int] = []
        var next = 0
        for (new, row) in rows.enumerated() {
            while next < clusters.count, clusters[next].row < row { next += 1 }
            guard next < clusters.count, clusters[next].row == row else { continue }
            var cluster = clusters[next]
            cluster.row = UInt32(new)
            selection.clusters.append(cluster)
            indexes.append(next)
        }
        selection.points.append(rows.span, of: points)
        return (selection, indexes)
    }
}
