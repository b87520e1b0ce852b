import Clustering
import Geometry
import Points

/// The second phase: clusters a cell, and writes its tree, the nodes that it hands up, and those that
/// its neighbours may draw.
struct ClusterPhase: SquarePhase {
    let job: CellJob

    /// What came of a cell.
    enum Outcome {
        case written
        /// Was there already.
        case there
        /// A zoom takes more passes than were supposed: all cells are to be run again.
        case tooManyPasses
    }

    func isDone(_ cell: Int, _ passes: Int) -> Bool {
        let name = job.name(of: cell)
        return [
            job.files.tree(of: name, passes), job.files.border(of: name, passes),
            job.files.handedUp(by: name, passes),
        ].allSatisfy(job.files.has)
    }

    func run(_ cell: Int, passes: Int) throws -> Outcome {
        if isDone(cell, passes) { return .there }
        return try takeOver(cell, passes) ? .written : make(cell, passes) {}
    }

    /// - Parameter tellWidened: is told of each attempt that was not enough.
    func make(_ cell: Int, _ passes: Int, tellWidened: () -> Void) throws -> Outcome {
        try job.files.makeFolder("cluster")
        var task = CellTask(
            cell: job.division.cells[cell], cutZoom: job.cutZoom,
            margin: job.margin(cutZoom: job.cutZoom), passLimit: passes)
        let crowdings = job.recipe.layers.indices.map(job.crowding)
        let beyond = Self.reach(beyond: crowdings)
        var attempts = 1
        while true {
            try job.checkCancelled()
            let reach = task.margin + beyond
            let tables = try CellPoints(job, of: cell, within: reach).tables()
            switch try attempt(on: tables, task, crowdings) {
            case .settled(let pieces):
                let ground = try CellGround(
                    of: cell, margin: task.margin, reach: reach, job)
                try CellFiles(job).write(
                    pieces, of: cell, tables, passes, attempts: attempts, ground)
                return .written
            case .failed(.tooManyPasses):
                var marker = try job.write(job.files.tooFew(passes, level: 0))
                try marker.finish()
                return .tooManyPasses
            case .failed(.marginTooNarrow):
                task = task.widened
                attempts += 1
                tellWidened()
            }
        }
    }

    /// How far beyond the margin points are looked at: of a tile on the edge all decide whether it is too full.
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
        // The parts of the job before may be gone.
        guard try (try? points.areThose(of: former)) ?? (points.sum() == old.points) else {
            return false
        }
        let name = job.name(of: cell)
        return former.give({ $0.tree(of: name, passes) }, to: job.files)
            && former.give({ $0.border(of: name, passes) }, to: job.files)
            && former.give({ $0.handedUp(by: name, passes) }, to: job.files)
    }

    /// What came of all hierarchies of a cell: a piece for each, or why there is none.
    private enum Attempt {
        case settled([CellPiece])
        case failed(CellFailure)
    }

    private func attempt(
        on tables: [PointTable], _ task: CellTask, _ crowdings: [Crowding?]
    ) throws -> Attempt {
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
