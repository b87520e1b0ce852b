import Geometry
import ParallelColumns
import Points

/// A part of the world to cluster by itself, and what is assumed about the rest.
public struct CellTask: Sendable {
    /// The square whose nodes are handed up.
    public var cell: TileID
    /// The shallowest zoom that is clustered in the cell; what is left then is handed up.
    public var cutZoom: Int
    /// The distance around the cell within which no node may be in doubt either.
    public var reach = 0.0
    /// The width of the margin around that in which all points are known.
    public var margin: Double
    /// The most passes that a zoom is assumed to take anywhere in the world.
    public var passLimit: Int

    public init(cell: TileID, cutZoom: Int, reach: Double = 0, margin: Double, passLimit: Int) {
        self.cell = cell
        self.cutZoom = cutZoom
        self.reach = reach
        self.margin = margin
        self.passLimit = passLimit
    }

    /// The ground on which all points are known.
    public func known(wraps: Bool) -> KnownGround {
        KnownGround(certain, margin: margin, wraps: wraps)
    }

    /// The ground on which nothing may be in doubt.
    var certain: WorldBox { cell.square.grown(by: reach) }
}

/// The clusters of a cell: all below the nodes that it hands up, as they are in the whole world.
public struct CellPiece: Sendable {
    /// Leaves and clusters, numbered from 0, root after root.
    let columns: TreeColumns
    let attributes: AttributeTable
    let roots: [Root]
    let skipped: [SkippedValues]
    /// The nodes that are left at the cut zoom: a row for each root, in their order.
    public let nodes: Frontier
    /// The clusters that stand in the cell, whichever cell's nodes they are members of.
    public let standing: [StandingCluster]

    /// The names of the attributes of its clusters.
    public var keys: AttributeKeys { attributes.keys }

    /// The position of a cluster, and what identifies it among all others.
    public struct StandingCluster: Sendable {
        public var position: WorldPoint
        public var zoom: Int
        public var leaves: Int
        /// The position of its first leaf.
        public var seed: WorldPoint
    }

    /// A node of the frontier; a point is its own leaf and has no clusters.
    struct Root: Sendable {
        var leaves: Range<Int>
        var clusters: Range<Int>
    }
}

extension CellPiece {
    /// Clusters a cell once, from the deepest zoom up to its cut zoom.
    ///
    /// `rows` are the known points of the hierarchy: all those on the task's known ground.
    public static func attempt(
        of points: PointTable, rows: Column<UInt32>, group: AttributeValue?, _ task: CellTask,
        options: ClusterOptions, entering entryZooms: EntryZooms? = nil, threads: Int
    ) throws -> CellPiece {
        var options = options
        options.minZoom = task.cutZoom
        let input = try ClusterInput(
            points, subset: rows, options: options, arena: Arena(), entering: entryZooms)
        return try HierarchyBuilder.attempt(input, for: task, threads: threads) { part, workers in
            CellPiece(part, input, group, workers)
        }
    }

    private init(
        _ part: HierarchyBuilder.Part, _ input: ClusterInput, _ group: AttributeValue?,
        _ workers: Workers
    ) {
        let hierarchy = part.hierarchy
        var columns = LeafNumbering.columns(of: hierarchy, input, workers: workers)
        let own = (0..<part.ownCount).map { hierarchy.roots[$0] }
        roots = Self.roots(own, hierarchy, columns)
        let last = roots.last
        standing = (0..<columns.nodes.firsts.count).compactMap {
            columns.standing($0, in: part.cell, input.table)
        }
        columns.truncate(
            leaves: last?.leaves.upperBound ?? 0, clusters: last?.clusters.upperBound ?? 0)
        self.columns = columns
        let whole = ClusterTree.Group(
            value: group, leaves: 0..<columns.leafRows.count,
            clusters: 0..<columns.nodes.firsts.count)
        let reduction = AttributeReduction.run(
            columns, [whole], input.table, input.options, workers, keepingRoots: true)
        attributes = reduction.attributes
        skipped = reduction.skipped
        var nodes = Frontier(
            own, of: hierarchy, in: input.table, input.options,
            clusters: roots.filter { !$0.clusters.isEmpty }.map {
                (Int(columns.leafRows[$0.leaves.lowerBound]), $0.clusters.count)
            }, states: reduction.rootStates, row: input.row)
        if let visits = part.visits { nodes.visits = visits.keys(of: own, in: hierarchy, input) }
        self.nodes = nodes
    }

    /// The ranges of the roots in the columns. Each point of a site that is in no cluster is a root of its own.
    private static func roots(
        _ nodes: [NodeReference], _ hierarchy: Hierarchy, _ columns: TreeColumns
    ) -> [Root] {
        var roots: [Root] = []
        var next = (leaf: 0, cluster: 0)
        for node in nodes {
            guard node.isCluster else {
                for _ in hierarchy.sites.range(of: node.number) {
                    roots.append(
                        Root(
                            leaves: next.leaf..<next.leaf + 1,
                            clusters: next.cluster..<next.cluster))
                    next.leaf += 1
                }
                continue
            }
            let start = next
            next.leaf += Int(hierarchy.points[node.number])
            repeat {
                next.cluster += 1
            } while next.cluster < columns.nodes.firsts.count
                && columns.parents[next.cluster] != ClusterTree.noParent
            roots.append(
                Root(
                    leaves: start.leaf..<next.leaf, clusters: start.cluster..<next.cluster))
        }
        return roots
    }
}

extension TreeColumns {
    /// A cluster that stands in a cell; nil if it stands elsewhere.
    fileprivate func standing(
        _ cluster: Int, in cell: TileID, _ table: PointTable
    ) -> CellPiece.StandingCluster? {
        let position = WorldPoint(x: nodes.xs[cluster], y: nodes.ys[cluster])
        guard TileID(holding: position, zoom: cell.z) == cell else { return nil }
        return CellPiece.StandingCluster(
            position: position, zoom: Int(nodes.zooms[cluster]), leaves: nodes.leaves[cluster],
            seed: table.position(of: Int(leafRows[Int(nodes.firsts[cluster])])))
    }

    /// Removes all but the given numbers of leaves and clusters at the start.
    mutating func truncate(leaves: Int, clusters: Int) {
        leafRows.truncate(to: leaves)
        leafParents.truncate(to: leaves)
        nodes.leafParentZooms.truncate(to: leaves)
        nodes.firsts.truncate(to: clusters)
        nodes.leaves.truncate(to: clusters)
        nodes.zooms.truncate(to: clusters)
        nodes.parentZooms.truncate(to: clusters)
        parents.truncate(to: clusters)
        nodes.xs.truncate(to: clusters)
        nodes.ys.truncate(to: clusters)
        if !nodes.weights.isEmpty { nodes.weights.truncate(to: clusters) }
        if !representatives.isEmpty { representatives.truncate(to: clusters) }
    }
}
