import Clustering
import Geometry
import Points

/// The second phase: clusters a cell, and writes its tree, the nodes that it hands up, and those that
/// its neighbours may draw.
struct ClusterPhase {
    let job: CellJob

    /// What came of a cell.
    enum Outcome {
        case written(loaded: Int, points: Int, attempts: Int)
        /// Was there already.
        case there
        /// A zoom takes more passes than were supposed: all cells are to be run again.
        case tooManyPasses
    }

    func isDone(_ cell: Int, _ passes: Int) -> Bool {
        let name = job.division.cells[cell].cellName
        return [
            job.folder.tree(of: name, passes), job.folder.border(of: name, passes),
            job.folder.handedUp(by: name, passes),
        ].allSatisfy(job.folder.has)
    }

    func run(_ cell: Int, passes: Int) throws -> Outcome {
        if isDone(cell, passes) { return .there }
        try job.folder.makeFolder("cluster")
        var task = CellTask(
            cell: job.division.cells[cell], cutZoom: job.cutZoom, margin: job.margin,
            passLimit: passes)
        var attempts = 1
        while true {
            try job.checkCancelled()
            let tables = try CellPoints(job).points(for: task, cell)
            guard let found = try pieces(of: tables, task) else {
                var marker = try job.write(job.folder.tooFew(passes))
                try marker.finish()
                return .tooManyPasses
            }
            if let pieces = found.pieces {
                try CellFiles(job).write(pieces, of: cell, tables, task, passes)
                return .written(
                    loaded: tables.reduce(0) { $0 + $1.count }, points: job.division.counts[cell],
                    attempts: attempts)
            }
            task = task.widened
            attempts += 1
        }
    }

    /// A piece for each hierarchy; none where the cell must know more, and nil where passes ran out.
    private func pieces(
        of tables: [PointTable], _ task: CellTask
    ) throws -> (pieces: [CellPiece]?, Void)? {
        var pieces: [CellPiece] = []
        for (layer, table) in tables.enumerated() {
            let options = job.cellOptions(of: layer)
            let crowding = crowding(of: table, layer)
            let rows = PointGroups.rows(of: table, by: options.groupBy)
            for group in job.plan.layers[layer].groups {
                try job.checkCancelled()
                let attempt = try CellPiece.attempt(
                    of: table, rows: rows[group] ?? Column(), group: PointGroups.value(of: group),
                    task, options: options, threads: job.options.threads)
                switch attempt {
                case .settled(let piece):
                    if crowding != nil, !knowsTiles(of: piece, table, task, layer) {
                        return (nil, ())
                    }
                    pieces.append(crowding?.thinned(piece, cutZoom: job.cutZoom) ?? piece)
                case .tooNarrow: return (nil, ())
                case .tooManyPasses: return nil
                }
            }
        }
        return (pieces, ())
    }
}

extension ClusterPhase {
    /// The first zoom at which a layer's points stand apart.
    private func pastZoom(_ layer: Int) -> Int { job.layerOptions[layer].maxZoom + 1 }

    /// Where tiles past the cluster zooms are too full, by all points that are known.
    private func crowding(of table: PointTable, _ layer: Int) -> Crowding? {
        guard let limit = job.plan.pointLimits[layer] else { return nil }
        return Crowding(
            of: table.count, zooms: pastZoom(layer)...Int(job.plan.maxZoom), limit: limit,
            threads: job.options.threads
        ) { table.position(of: $0) }
    }

    /// Whether all points are known of each tile that a point of the cell's tree lies in.
    private func knowsTiles(
        of piece: CellPiece, _ table: PointTable, _ task: CellTask, _ layer: Int
    ) -> Bool {
        let zoom = UInt8(pastZoom(layer))
        let wraps = job.layerOptions[layer].wrap
        let rows = piece.tree(cutZoom: job.cutZoom).leafRows
        return (0..<rows.count).allSatisfy { leaf in
            task.knows(TileID(drawing: table.position(of: Int(rows[leaf])), zoom), wraps: wraps)
        }
    }
}

extension TileID {
    /// The tile in whose stretch of the curve a point is drawn, give or take a unit.
    init(drawing point: WorldPoint, _ zoom: UInt8) {
        let shift = 32 - UInt32(zoom)
        self.init(
            z: zoom, x: TileGrid.fixed(point.x) >> shift, y: TileGrid.fixed(point.y) >> shift)
    }
}

/// Reads what a cell has to know.
struct CellPoints {
    private let job: CellJob

    init(_ job: CellJob) { self.job = job }

    /// The points of each layer in the ground that a task knows.
    func points(for task: CellTask, _ cell: Int) throws -> [PointTable] {
        var tables = job.plan.layers.map { _ in PointTable(keys: job.keys) }
        let name = job.division.cells[cell].cellName
        try add(job.folder.points(of: name), for: nil, to: &tables)
        if task.margin <= job.margin {
            try add(job.folder.pointsNear(name), for: task, to: &tables)
        } else {
            let square = task.cell
            let box = WorldBox(
                minX: square.origin.x - task.margin, minY: square.origin.y - task.margin,
                maxX: square.origin.x + square.width + task.margin,
                maxY: square.origin.y + square.width + task.margin)
            var others: Set<Int> = []
            job.division.forEachCell(touching: box) { others.insert($0) }
            for other in others.sorted() where other != cell {
                let name = job.division.cells[other].cellName
                try add(job.folder.points(of: name), for: task, to: &tables)
            }
        }
        return tables
    }

    private func add(
        _ path: String, for task: CellTask?, to tables: inout [PointTable]
    ) throws {
        var (reader, keys) = try job.read(path)
        while let block = try reader.next() {
            var source = BlockSource(block)
            let (layer, points) = try reader.decode { () throws(BlockSource.Damaged) in
                (try source.int(), try source.points(keys))
            }
            guard tables.indices.contains(layer) else { throw JobError.damaged(path: path) }
            guard let task else {
                tables[layer].append(points)
                continue
            }
            let wraps = job.layerOptions[layer].wrap
            let rows = (0..<UInt32(points.count)).filter {
                task.knows(points.xs[Int($0)], points.ys[Int($0)], wraps: wraps)
            }
            tables[layer].append(PointBatch(rows.span, of: points))
        }
    }
}
