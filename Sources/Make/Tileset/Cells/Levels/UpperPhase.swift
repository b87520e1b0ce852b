import Clustering
import Geometry
import Points

/// Clusters a square above the cells: the nodes that squares below handed up, in the square and around it.
struct UpperPhase: SquarePhase {
    let job: CellJob

    func files(of square: String, _ passes: Int, in files: JobFiles) -> [String] {
        [
            files.tree(of: square, passes), files.members(of: square, passes),
            files.frontier(of: square, passes),
        ]
    }

    func attempt(_ number: Int, _ task: CellTask, attempts: Int) throws {
        let reach = task.reach + task.margin
        let below = UpperGround(of: number, job, within: reach)
        let gathered = try GatheredUnits(
            of: job, below.squares, own: below.own,
            on: job.layerOptions.map { task.known(wraps: $0.wrap) })
        let zoom = job.levels.below(number).cutZoom
        let trees = try zip(job.units, gathered.units).map { unit, below in
            try job.checkCancelled()
            return try UpperTree.attempt(
                of: below.nodes, cutAt: zoom, group: PointGroups.value(of: unit.group), task,
                options: job.layerOptions[unit.layer], threads: job.options.threads)
        }
        var effort = CellFiles.Effort(
            loaded: gathered.units.reduce(0) { $0 + $1.nodes.points.count }, attempts: attempts,
            ground: CellGround(margin: task.margin, reach: reach, points: try below.sum()))
        effort.nodes = trees.reduce(0) { $0 + $1.tree.clusters.count }
        try UpperFiles(job, number, task.passLimit).write(trees, gathered, effort)
    }

    func isUnchanged(_ number: Int, since former: FormerJob, _ ground: CellGround) throws -> Bool {
        let below = UpperGround(of: number, job, within: ground.reach)
        let files = CellFiles(job)
        let passes = job.passLimit(of: job.levels.below(number).numbers.lowerBound)
        let changed = try below.squares.filter { square in
            // The job before may have taken fewer passes, and has no such file then.
            let before = try? files.effort(of: square, passes, in: former.files)
            return try files.effort(of: square, passes).content != before?.content
        }
        guard below.own.isDisjoint(with: changed) else { return false }
        var task = job.task(of: number, job.passLimit(of: number))
        task.margin = ground.margin
        let grounds = job.units.map { task.known(wraps: job.layerOptions[$0.layer].wrap) }
        let names = job.keys.names.map(ByteSum.of)
        // Of squares around it, only what they handed up on its ground counts.
        var moved: [Int: [UpperMembers.MovedRows]] = [:]
        for square in changed {
            guard let before = try? files.frontier(of: square, passes, in: former.files).units
            else { return false }
            let now = try files.frontier(of: square, passes).units
            for (unit, ground) in grounds.enumerated() {
                let rows = UpperMembers.MovedRows(
                    before: before[unit].nodes.rows(on: ground),
                    now: now[unit].nodes.rows(on: ground))
                guard
                    before[unit].selecting(rows.before).sum(names)
                        == now[unit].selecting(rows.now).sum(names)
                else { return false }
                moved[square, default: []].append(rows)
            }
        }
        if moved.isEmpty { return true }
        let counts = try files.effort(of: number, task.passLimit, in: former.files).counts
        let path = job.files.members(of: job.name(of: number), task.passLimit)
        guard
            let members = try? UpperMembersFile(of: number, counts, job, in: former.files)
                .moved(moved, to: path)
        else { return false }
        try members.write(for: job)
        return true
    }
}

/// The squares of the level below that a square looks at.
struct UpperGround {
    /// The numbers of these squares, ascending; `own` has those that lie in it.
    let squares: [Int]
    let own: Set<Int>
    private let job: CellJob

    init(of number: Int, _ job: CellJob, within distance: Double) {
        self.job = job
        let square = job.levels.square(number)
        squares = job.levels.below(number)
            .squares(touching: square.square.grown(by: distance * (1 + 1e-9)))
        own = Set(squares.filter { job.levels.square($0).isWithin(square) })
    }

    /// A sum over what they handed up; nil if nothing is to be taken over.
    func sum() throws -> UInt64? {
        guard job.keepsFiles else { return nil }
        return try squares.reduce(0) { sum, square in
            let effort = try CellFiles(job).effort(of: square, job.passLimit(of: square))
            return PointsSum.mixed(PointsSum.mixed(sum, UInt64(square)), effort.content)
        }
    }
}
