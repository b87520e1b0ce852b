import Clustering
import Geometry
import Points
import Recipes

/// The files that clustering a cell leaves.
///
/// - `tree`: for each hierarchy where the leaves of the nodes begin that are handed up, and all nodes
///   below them, numbered from 0.
/// - `border`: those of them that other cells may draw.
/// - `up`: where the latter lie, and for each hierarchy what is handed up.
struct CellFiles {
    private let job: CellJob

    init(_ job: CellJob) { self.job = job }

    /// The tree of one hierarchy in a cell, or some of it.
    struct Tree {
        /// The first leaf of each node that is handed up.
        var firstLeaves: Column<UInt32>
        var nodes: CellNodes
    }

    /// What a cell hands up of one hierarchy.
    struct HandedUp {
        var nodes: HandedUpNodes
        /// The records of its clusters.
        var records: AttributeTable
        var clusterCount: Int
        /// Those that hold together past the cluster zooms.
        var heldCount: Int
        var skipped: [SkippedValues]
    }

    func write(
        _ pieces: [CellPiece], of cell: Int, _ tables: [PointTable], _ task: CellTask,
        _ passes: Int
    ) throws {
        let square = job.division.cells[cell]
        let name = square.cellName
        var tree = try job.write(job.folder.tree(of: name, passes))
        var border = try job.write(job.folder.border(of: name, passes))
        var reach = BorderReach(of: square, job.recipe.tiles)
        var up = BlockSink()
        for (unit, piece) in zip(job.units, pieces) {
            let clusters = piece.tree(cutZoom: job.cutZoom)
            let nodes = nodes(of: clusters, tables[unit.layer])
            var sink = BlockSink()
            sink.write(piece.firstLeaves)
            sink.write(nodes)
            try tree.append(sink.bytes)
            var outside = BlockSink()
            outside.write(piece.firstLeaves)
            outside.write(reach.nodes(of: nodes))
            try border.append(outside.bytes)
            up.write(piece.nodes.bytes)
            up.write(piece.handedUpRecords)
            up.write(clusters.clusterCount)
            up.write(clusters.count(formedPast: job.layerOptions[unit.layer].maxZoom))
            up.write(piece.skippedValues.count)
            for skipped in piece.skippedValues {
                up.write(skipped.aggregate)
                up.write(skipped.missing)
                up.write(skipped.unusable)
            }
        }
        try tree.finish()
        try border.finish()
        var handedUp = try job.write(job.folder.handedUp(by: name, passes))
        var box = BlockSink()
        box.write(reach.box)
        try handedUp.append(box.bytes)
        try handedUp.append(up.bytes)
        try handedUp.finish()
    }

    private func nodes(of tree: ClusterTree, _ table: PointTable) -> CellNodes {
        var points = PointTable(keys: job.keys)
        points.append(PointBatch(tree.leafRows.span, of: table))
        return CellNodes(
            leafNumbers: Column(0..<UInt32(tree.leafCount)), nodes: LooseNodes(tree),
            points: points, records: tree.attributes)
    }

    /// All nodes of a cell.
    func trees(of cell: Int, _ passes: Int) throws -> [Tree] {
        try read(job.folder.tree(of: job.division.cells[cell].cellName, passes))
    }

    /// Those that other cells may draw.
    func border(of cell: Int, _ passes: Int) throws -> [Tree] {
        try read(job.folder.border(of: job.division.cells[cell].cellName, passes))
    }

    private func read(_ path: String) throws -> [Tree] {
        var (reader, keys) = try job.read(path)
        return try job.units.map { _ in
            var source = try reader.block()
            return try reader.decode { () throws(BlockSource.Damaged) in
                Tree(firstLeaves: try source.column(), nodes: try source.cellNodes(keys))
            }
        }
    }

    /// What a cell hands up, and the box around what its neighbours may draw.
    func handedUp(by cell: Int, _ passes: Int) throws -> (box: WorldBox, units: [HandedUp]) {
        let path = job.folder.handedUp(by: job.division.cells[cell].cellName, passes)
        var (reader, keys) = try job.read(path)
        var box = try reader.block()
        var source = try reader.block()
        do {
            let units = try job.units.map { _ in
                HandedUp(
                    nodes: try HandedUpNodes(bytes: source.raw(), keys: job.keys),
                    records: try source.attributes(keys), clusterCount: try source.int(),
                    heldCount: try source.int(), skipped: try Self.skipped(&source))
            }
            return (try box.box(), units)
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

/// Which nodes of a cell other cells may draw: those that stand outside, or so near to the edge that
/// they are copied into the margin of a tile beyond.
struct BorderReach {
    private let square: TileID
    private let tiles: TileOptions
    /// Around all of them, as seen from the cell: it may begin west of 0 and end east of 1.
    private(set) var box = WorldBox.empty

    init(of square: TileID, _ tiles: TileOptions) {
        self.square = square
        self.tiles = tiles
    }

    /// How far a node is copied that is drawn from a zoom on.
    static func reach(_ tiles: TileOptions, from zoom: Int) -> Double {
        let units = Double(UInt64(1) << UInt64(tiles.extentBits))
        return (tiles.buffer / 512 + 4 / units) / Double(UInt64(1) << UInt64(zoom))
    }

    mutating func nodes(of all: CellNodes) -> CellNodes {
        let nodes = all.nodes
        var (leaves, clusters): ([UInt32], [UInt32]) = ([], [])
        for leaf in 0..<all.points.count {
            let position = all.points.position(of: leaf)
            if isOutside(position, from: Int(nodes.leafParentZooms[leaf]) + 1) {
                leaves.append(UInt32(leaf))
            }
        }
        for cluster in 0..<nodes.firsts.count {
            let position = WorldPoint(x: nodes.xs[cluster], y: nodes.ys[cluster])
            if isOutside(position, from: Int(nodes.parentZooms[cluster]) + 1) {
                clusters.append(UInt32(cluster))
            }
        }
        return all.selecting(leaves: leaves, clusters: clusters)
    }

    private mutating func isOutside(_ position: WorldPoint, from zoom: Int) -> Bool {
        let reach = Self.reach(tiles, from: max(zoom, 0))
        let (dx, dy) = (position.x - square.origin.x, position.y - square.origin.y)
        guard min(dx, dy) < reach || max(dx, dy) > square.width - reach else { return false }
        // The nearer way round the world.
        let middle = dx - square.width / 2
        let x = square.origin.x + dx - middle.rounded()
        box.include(WorldPoint(x: x - reach, y: position.y - reach))
        box.include(WorldPoint(x: x + reach, y: position.y + reach))
        return true
    }
}

extension BlockSink {
    mutating func write(_ box: WorldBox) {
        for number in [box.minX, box.minY, box.maxX, box.maxY] { write(number) }
    }
}

extension BlockSource {
    mutating func box() throws(Damaged) -> WorldBox {
        WorldBox(
            minX: try double(), minY: try double(), maxX: try double(), maxY: try double())
    }
}
