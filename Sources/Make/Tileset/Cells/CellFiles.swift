import Clustering
import Geometry
import Points
import Recipes

/// The files that clustering a cell leaves.
///
/// - `tree`: for each hierarchy all nodes below those that are handed up (`TreeFile`).
/// - `border`: those of them that other cells may draw.
/// - `up`: where the latter lie, and for each hierarchy what is handed up.
struct CellFiles {
    let job: CellJob

    init(_ job: CellJob) { self.job = job }

    /// The nodes of one hierarchy in a cell, or some of them.
    struct Tree {
        var nodes: CellNodes
        /// For each leaf that was handed up by itself which of the handed-up nodes it is. Needed where tiles are left out.
        var roots: Column<UInt32>
    }

    /// What a cell hands up of one hierarchy.
    struct HandedUp {
        var nodes: HandedUpNodes
        /// The records of its clusters.
        var records: AttributeTable
        /// What features say of these, and how far they reach.
        var traits: ClusterTraits
        var spans: [BoxSpan]
        /// What lies just below them, for finer counts above the cut.
        var below: CellNodes
        var clusterCount: Int
        /// Those that hold together past the cluster zooms.
        var heldCount: Int
        /// For each node that is a point how it shares its place, where that is asked; and how the cell
        /// draws its points apart.
        var shares: SpreadShares
        var spread: SpreadExtent?
        var skipped: [SkippedValues]
    }

    /// - Parameter ground: what the pieces follow from.
    func write(
        _ pieces: [CellPiece], of cell: Int, _ tables: [PointTable], _ passes: Int,
        attempts: Int, _ ground: CellGround
    ) throws {
        let square = job.division.cells[cell]
        let name = square.cellName
        var tree = try TreeFileWriter(job.files.tree(of: name, passes), job)
        var border = try job.write(job.files.border(of: name, passes))
        var reach = BorderReach(
            of: square, cutZoom: job.cutZoom, maxZoom: job.plan.maxZoom, job.recipe.tiles)
        var up = BlockSink()
        var (nodeCount, borderSum): (Int, UInt64) = (0, 0)
        for (unit, piece) in zip(job.units, pieces) {
            let clusters = piece.tree(cutZoom: job.cutZoom)
            nodeCount += clusters.leafCount + clusters.clusterCount
            let nodes = nodes(of: clusters, tables[unit.layer], unit.layer)
            try tree.append(nodes, firstLeaves: piece.firstLeaves, hasSums: job.keepsFiles)
            let outside = drawnOutside(nodes, piece.firstLeaves, &reach)
            borderSum = borderSum &* 31 &+ ByteSum.of(outside.bytes.span)
            try border.append(outside.bytes)
            write(piece, clusters, nodes, tables[unit.layer], unit.layer, to: &up)
        }
        try tree.finish()
        try border.finish()
        var handedUp = try job.write(job.files.handedUp(by: name, passes))
        var head = BlockSink()
        head.write(tables.reduce(0) { $0 + $1.count })
        head.write(attempts)
        head.write(reach.box)
        head.write(nodeCount)
        head.write(ground)
        head.write(borderSum)
        try handedUp.append(head.bytes)
        var ids = BlockSink()
        ids.write(try UnusualIDs(in: pieces, of: job))
        try handedUp.append(ids.bytes)
        try handedUp.append(up.bytes)
        try handedUp.finish()
    }

    /// Those nodes of a hierarchy that other cells may draw.
    private func drawnOutside(
        _ nodes: CellNodes, _ firstLeaves: Column<UInt32>, _ reach: inout BorderReach
    ) -> BlockSink {
        let (leaves, clusters) = reach.nodes(of: nodes)
        var drawn = nodes.selecting(leaves: leaves, clusters: clusters)
        // Where their leaves begin says nothing elsewhere, and depends on all of the cell.
        drawn.nodes.firsts = Column(clusters.map { _ in 0 })
        var sink = BlockSink()
        sink.write(drawn)
        sink.write(roots(among: leaves, of: nodes, firstLeaves))
        return sink
    }

    /// Writes what one hierarchy hands up.
    private func write(
        _ piece: CellPiece, _ clusters: ClusterTree, _ nodes: CellNodes, _ table: PointTable,
        _ layer: Int, to up: inout BlockSink
    ) {
        up.write(piece.nodes)
        up.write(piece.handedUpRecords)
        let roots = (0..<clusters.clusterCount).filter {
            clusters.parents[$0] == ClusterTree.noParent
        }
        up.write(roots.count)
        var traits = ClusterTraits()
        for root in roots { traits.append(root, of: nodes.traits) }
        up.write(traits)
        let spans = traits.boxes.isEmpty ? [] : clusters.spans(in: table)
        for root in roots where !spans.isEmpty { up.write(spans[root]) }
        up.write(below(nodes))
        up.write(clusters.clusterCount)
        up.write(clusters.count(formedPast: job.layerOptions[layer].maxZoom))
        up.write(nodes.shares.ofRoots(piece))
        up.write(
            job.zooms.spread.flatMap { rule in
                SpreadExtent(
                    of: nodes.shares, rule, parentZoom: { Int(nodes.nodes.leafParentZooms[$0]) },
                    place: { nodes.points.position(of: $0) })
            })
        up.write(piece.skippedValues.count)
        for skipped in piece.skippedValues {
            up.write(skipped.aggregate)
            up.write(skipped.missing)
            up.write(skipped.unusable)
        }
    }

    /// The nodes that are drawn from the zoom below the cut on, where they are asked for.
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
        points.append(PointBatch(tree.leafRows.span, of: table))
        return CellNodes(
            nodes: LooseNodes(tree), points: points, records: tree.attributes,
            traits: ClusterTraits(
                of: tree, in: table, ClusterTraits.Wanted(by: job.recipe.layers[layer])),
            shares: job.recipe.tiles.spread == nil
                ? SpreadShares() : SpreadShares(of: tree, in: table))
    }

    /// Which of the handed-up nodes some leaves are: those of them that were handed up by themselves.
    private func roots(
        among leaves: [UInt32], of nodes: CellNodes, _ firstLeaves: Column<UInt32>
    ) -> Column<UInt32> {
        var roots = Column<UInt32>()
        guard job.recipe.tiles.variableDepth else { return roots }
        var root = 0
        for leaf in leaves where Int(nodes.nodes.leafParentZooms[Int(leaf)]) < job.cutZoom {
            while firstLeaves[root] < leaf { root += 1 }
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

    /// Those nodes of a cell that other cells may draw.
    func border(of cell: Int, _ passes: Int) throws -> [Tree] {
        var (reader, keys) = try job.read(
            job.files.border(of: job.division.cells[cell].cellName, passes))
        return try job.units.map { _ in
            var source = try reader.block()
            return try reader.decode { () throws(BlockSource.Damaged) in
                Tree(nodes: try source.cellNodes(keys), roots: try source.column())
            }
        }
    }

    /// What a cell hands up, the box around what its neighbours may draw, and the ids that it gave.
    func handedUp(
        by cell: Int, _ passes: Int
    ) throws -> (box: WorldBox, ids: UnusualIDs, units: [HandedUp]) {
        let path = job.files.handedUp(by: job.division.cells[cell].cellName, passes)
        var (reader, keys) = try job.read(path)
        var head = try reader.block()
        var own = try reader.block()
        var source = try reader.block()
        do {
            _ = try Effort(&head)
            let units = try job.units.map { _ in
                let nodes = try source.handedUpNodes(keys)
                let records = try source.attributes(keys)
                let count = try source.int()
                guard count == nodes.clusters.count else { throw BlockSource.Damaged() }
                let traits = try source.clusterTraits(count)
                return HandedUp(
                    nodes: nodes, records: records, traits: traits,
                    spans: try source.spans(traits.boxes.isEmpty ? 0 : count),
                    below: try source.cellNodes(keys),
                    clusterCount: try source.int(), heldCount: try source.int(),
                    shares: try source.shares(nodes.points.count),
                    spread: try source.spreadExtent(),
                    skipped: try Self.skipped(&source))
            }
            return (try head.box(), try UnusualIDs(&own), units)
        } catch {
            throw JobError.damaged(path: path)
        }
    }

    private static func skipped(
        _ source: inout BlockSource
    ) throws(BlockSource.Damaged) -> [SkippedValues] {
        var values: [SkippedValues] = []
        for _ in 0..<max(0, try source.int()) {
            values.append(
                SkippedValues(
                    aggregate: try source.text(), missing: try source.int(),
                    unusable: try source.int()))
        }
        return values
    }
}
