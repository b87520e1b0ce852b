import Clustering
import Geometry
import Points

/// The second phase: clusters a cell, and writes its tree, its frontier, and the nodes that its
/// neighbours may draw.
struct ClusterPhase: SquarePhase {
    let job: CellJob

    func isDone(_ cell: Int, _ passes: Int) -> Bool {
        let name = job.name(of: cell)
        return [
            job.files.tree(of: name, passes), job.files.border(of: name, passes),
            job.files.frontier(of: name, passes),
        ].allSatisfy(job.files.has)
    }

    func attempt(_ cell: Int, _ task: CellTask, attempts: Int) throws -> CellFailure? {
        let crowdings = job.recipe.layers.indices.map(job.crowding)
        let reach = task.margin + Self.reach(beyond: crowdings)
        let tables = try CellPoints(job, of: cell, within: reach).tables()
        switch try cluster(tables, task, crowdings) {
        case .failed(let failure): return failure
        case .settled(let pieces):
            let sum = job.keepsFiles ? try CellPoints(job, of: cell, within: reach).sum() : nil
            let ground = CellGround(margin: task.margin, reach: reach, points: sum)
            try CellFiles(job).write(
                pieces, of: cell, tables, task.passLimit, attempts: attempts, ground)
            return nil
        }
    }

    /// How far beyond the margin points are looked at: whether a tile on the edge is too full depends on all its points.
    private static func reach(beyond crowdings: [Crowding?]) -> Double {
        crowdings.compactMap { $0?.tileWidth }.max() ?? 0
    }

    func takeOver(_ cell: Int, _ passes: Int) throws -> Bool {
        guard let former = job.former else { return false }
        try job.files.makeFolder("cluster")
        let beyond = Self.reach(beyond: job.recipe.layers.indices.map(job.crowding))
        guard
            // The same points.
            let old = try? CellFiles(job).effort(of: cell, passes, in: former.files).ground,
            old.points != nil, old.reach == old.margin + beyond
        else { return false }
        let points = CellPoints(job, of: cell, within: old.reach)
        // The parts of the job before may be removed already.
        guard try (try? points.areThose(of: former)) ?? (points.sum() == old.points) else {
            return false
        }
        let name = job.name(of: cell)
        return former.give({ $0.tree(of: name, passes) }, to: job.files)
            && former.give({ $0.border(of: name, passes) }, to: job.files)
            && former.give({ $0.frontier(of: name, passes) }, to: job.files)
    }

    /// A piece for each hierarchy of a cell.
    private func cluster(
        _ tables: [PointTable], _ task: CellTask, _ crowdings: [Crowding?]
    ) throws -> CellAttempt<[CellPiece]> {
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
                let attempt = try CellPiece.attempt(
                    of: table, rows: rows[group] ?? Column(), group: PointGroups.value(of: group),
                    task, options: options, entering: entryZooms, threads: job.options.threads)
                switch attempt {
                case .settled(let piece): pieces.append(piece)
                case .failed(let failure): return .failed(failure)
                }
            }
        }
        return .settled(pieces)
    }
}
