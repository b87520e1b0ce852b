import Clustering
import Geometry
import Points
import Recipes

/// The files that clustering a cell writes.
///
/// - `tree`: for each hierarchy, all nodes below those that are handed up (`TreeFile`).
/// - `border`: the nodes among them that other cells may draw.
/// - `up`: the box around the latter, and what is handed up for each hierarchy.
struct CellFiles {
    let job: CellJob

    init(_ job: CellJob) { self.job = job }

    /// The nodes of one hierarchy in a cell, or some of them.
    struct Tree {
        var nodes: CellNodes
        /// For each leaf that was handed up by itself, its number among those nodes. Needed where tiles are left out.
        var roots: Column<UInt32>
    }

    /// - Parameter ground: the points that the pieces depend on.
    func write(
        _ pieces: [CellPiece], of cell: Int, _ tables: [PointTable], _ passes: Int,
        attempts: Int, _ ground: CellGround
    ) throws {
        let name = job.name(of: cell)
        var tree = try TreeFileWriter(job.files.tree(of: name, passes), job)
        var border = try job.write(job.files.border(of: name, passes))
        var reach = BorderReach(
            of: job.levels.square(cell), cutZoom: job.cutZoom, maxZoom: job.plan.maxZoom,
            job.recipe.tiles)
        var units: [FrontierUnit] = []
        var effort = Effort(
            loaded: tables.reduce(0) { $0 + $1.count }, attempts: attempts, ground: ground)
        for (unit, piece) in zip(job.units, pieces) {
            let clusters = piece.tree(cutZoom: job.cutZoom)
            effort.nodes += clusters.leafCount + clusters.clusterCount
            let nodes = nodes(of: clusters, tables[unit.layer], unit.layer)
            try tree.append(nodes, firstLeaves: piece.firstLeaves, hasSums: job.keepsFiles)
            let outside = drawnOutside(nodes, piece.firstLeaves, &reach)
            effort.border = effort.border &* 31 &+ ByteSum.of(outside.bytes.span)
            try border.append(outside.bytes)
            units.append(frontier(of: piece, clusters, nodes, tables[unit.layer], unit.layer))
        }
        try tree.finish()
        try border.finish()
        effort.box = reach.box
        let ids = try UnusualIDs(naming: pieces.map(\.standing), of: job)
        try write(units, ids, effort, of: cell, passes)
    }

    /// The nodes of a hierarchy that other cells may draw.
    private func drawnOutside(
        _ nodes: CellNodes, _ firstLeaves: Column<Int>, _ reach: inout BorderReach
    ) -> BlockSink {
        let (leaves, clusters) = reach.nodes(of: nodes)
        var drawn = nodes.selecting(leaves: leaves, clusters: clusters)
        // The numbers of their first leaves are of no use elsewhere, and depend on the whole cell.
        drawn.nodes.firsts = Column(clusters.map { _ in 0 })
        var sink = BlockSink()
        sink.write(drawn)
        sink.write(roots(among: leaves, of: nodes, firstLeaves))
        return sink
    }

    /// What the cell hands up for one hierarchy.
    private func frontier(
        of piece: CellPiece, _ clusters: ClusterTree, _ nodes: CellNodes, _ table: PointTable,
        _ layer: Int
    ) -> FrontierUnit {
        let roots = (0..<clusters.clusterCount).filter {
            clusters.parents[$0] == ClusterTree.noParent
        }
        var traits = ClusterTraits()
        for root in roots { traits.append(root, of: nodes.traits) }
        let spans =
            traits.boxes.isEmpty
            ? [] : clusters.spans(in: table, wraps: job.layerOptions[layer].wrap)
        return FrontierUnit(
            nodes: piece.nodes, records: piece.frontierRecords, traits: traits,
            spans: spans.isEmpty ? [] : roots.map { spans[$0] }, below: below(nodes),
            clusterCount: clusters.clusterCount,
            heldCount: clusters.count(formedPast: job.layerOptions[layer].maxZoom),
            shares: nodes.shares.ofRoots(piece),
            spread: job.zooms.spread.flatMap { rule in
                SpreadExtent(
                    of: nodes.shares, rule, parentZoom: { Int(nodes.nodes.leafParentZooms[$0]) },
                    place: { nodes.points.position(of: $0) })
            }, skipped: piece.skippedValues)
    }

    /// The nodes that are drawn from the zoom below the cut on, if heat layers need them.
    private func below(_ nodes: CellNodes) -> CellNodes {
        guard job.recipe.tiles.heat else { return CellNodes(keys: job.keys) }
        let first = Int8(job.cutZoom)
        let leaves = (0..<UInt32(nodes.points.count)).filter {
            nodes.nodes.leafParentZooms[Int($0)] == first
        }
        let clusters = (0..<UInt32(nodes.nodes.firsts.count)).filter {
            nodes.nodes.parentZooms[Int($0)] == first
        }
        return nodes.bare(leaves: leaves, clusters: clusters)
    }

    private func nodes(of tree: ClusterTree, _ table: PointTable, _ layer: Int) -> CellNodes {
        var points = PointTable(keys: job.keys)
        points.append(tree.leafRows.span, of: table)
        return CellNodes(
            nodes: tree.nodes, points: points, records: tree.attributes,
            traits: ClusterTraits(
                of: tree, in: table, for: job.recipe.layers[layer]),
            shares: job.recipe.tiles.spread == nil
                ? CoincidentLeaves() : CoincidentLeaves(of: tree, in: table))
    }

    /// The numbers, among the nodes handed up, of those leaves that were handed up by themselves.
    private func roots(
        among leaves: [UInt32], of nodes: CellNodes, _ firstLeaves: Column<Int>
    ) -> Column<UInt32> {
        var roots = Column<UInt32>()
        guard job.recipe.tiles.variableDepth else { return roots }
        var root = 0
        for leaf in leaves where Int(nodes.nodes.leafParentZooms[Int(leaf)]) < job.cutZoom {
            while firstLeaves[root] < Int(leaf) { root += 1 }
            roots.append(UInt32(root))
        }
        return roots
    }

    /// All nodes of a hierarchy in a cell.
    func tree(of unit: Int, in file: TreeFile) throws -> Tree {
        let nodes = try file.nodes(of: unit)
        let leaves = Array(0..<UInt32(nodes.points.count))
        return Tree(
            nodes: nodes, roots: roots(among: leaves, of: nodes, file.units[unit].firstLeaves))
    }

    /// The nodes of a cell that other cells may draw.
    func border(of cell: Int, _ passes: Int) throws -> [Tree] {
        var (reader, keys) = try job.read(
            job.files.border(of: job.name(of: cell), passes))
        return try job.units.map { _ in
            try reader.decodeBlock { (source) throws(BlockSource.Damaged) in
                Tree(nodes: try source.cellNodes(keys), roots: try source.column())
            }
        }
    }
}
