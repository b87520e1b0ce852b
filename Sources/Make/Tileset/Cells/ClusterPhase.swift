import Clustering
import Geometry
import Points

/// The second phase: clusters a cell, and writes its tree, its frontier, and the nodes that its
/// neighbours may draw.
struct ClusterPhase: SquarePhase {
    let job: CellJob

    func files(of cell: String, _ passes: Int, in files: JobFiles) -> [String] {
        [
            files.tree(of: cell, passes), files.border(of: cell, passes),
            files.frontier(of: cell, passes),
        ]
    }

    /// Fetches at once what some cells read first, if the job's files are elsewhere.
    func fetch(_ cells: [Int], _ passes: Int) throws {
        guard job.folder.isRemote else { return }
        let beyond = Self.reach(beyond: job.recipe.layers.indices.map(job.crowding))
        let left = cells.filter { !isDone($0, passes) }
        try job.folder.fetch(
            left.flatMap { cell in
                let margin = job.task(of: cell, passes).margin
                return try CellPoints(job, of: cell, within: margin + beyond).wanted()
            })
    }

    func attempt(_ cell: Int, _ task: CellTask, attempts: Int) throws {
        let crowdings = job.recipe.layers.indices.map(job.crowding)
        let reach = task.margin + Self.reach(beyond: crowdings)
        let points = CellPoints(job, of: cell, within: reach)
        let (tables, sum) = try points.read()
        let pieces = try cluster(tables, task, crowdings)
        let ground = CellGround(margin: task.margin, reach: reach, points: sum)
        try CellFiles(job).write(
            pieces, of: cell, tables, task.passLimit, attempts: attempts, ground)
    }

    /// How far beyond the margin points are looked at: whether a tile on the edge is too full depends on all its points.
    private static func reach(beyond crowdings: [Crowding?]) -> Double {
        crowdings.compactMap { $0?.tileWidth }.max() ?? 0
    }

    func isUnchanged(_ cell: Int, since former: FormerJob, _ ground: CellGround) throws -> Bool {
        let beyond = Self.reach(beyond: job.recipe.layers.indices.map(job.crowding))
        guard ground.reach == ground.margin + beyond else { return false }
        let points = CellPoints(job, of: cell, within: ground.reach)
        // The parts of the job before may be removed already.
        return try (try? points.areThose(of: former)) ?? (points.sum() == ground.points)
    }

    /// A piece for each hierarchy of a cell.
    private func cluster(
        _ tables: [PointTable], _ task: CellTask, _ crowdings: [Crowding?]
    ) throws -> [CellPiece] {
        var pieces: [CellPiece] = []
        for (layer, table) in tables.enumerated() {
            var options = job.layerOptions[layer]
            let entryZooms = crowdings[layer]?
                .entryZooms(of: table, deepening: &options, threads: job.options.threads)
            let ground = task.known(wraps: options.wrap)
            let known = (0..<UInt32(table.count)).filter { row in
                let place = table.position(of: Int(row))
                return ground.contains(place.x, place.y)
            }
            let rows = PointGroups.rows(Column(known), of: table, by: options.groupBy)
            for group in job.plan.layers[layer].groups {
                try job.checkCancelled()
                pieces.append(
                    try CellPiece.attempt(
                        of: table, rows: rows[group] ?? Column(),
                        group: PointGroups.value(of: group), task, options: options,
                        entering: entryZooms, threads: job.options.threads))
            }
        }
        return pieces
    }
}
