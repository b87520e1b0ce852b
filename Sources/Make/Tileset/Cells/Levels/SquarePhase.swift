import Clustering

/// A phase that clusters squares one by one.
protocol SquarePhase: Sendable {
    var job: CellJob { get }

    /// The files of a square, by its name.
    func files(of square: String, _ passes: Int, in files: JobFiles) -> [String]

    /// Whether the job before had the same points, of which it made its files with some effort. Makes files that
    /// nevertheless differ.
    func isUnchanged(_ number: Int, since former: FormerJob, _ ground: CellGround) throws -> Bool

    /// Clusters a square and writes its files; throws a `CellFailure` if it must know more.
    /// - Parameter attempts: the number of the attempt.
    func attempt(_ number: Int, _ task: CellTask, attempts: Int) throws
}

/// The result of clustering a square.
enum SquareOutcome {
    case written
    /// The files were there already.
    case there
    /// A zoom takes more passes than were supposed, so all squares of the level must be run again.
    case tooManyPasses
}

extension SquarePhase {
    func isDone(_ number: Int, _ passes: Int) -> Bool {
        files(of: job.name(of: number), passes, in: job.files).allSatisfy(job.files.has)
    }

    /// Takes over a square's files from the job before, if they depend on the same points; false if not.
    func takeOver(_ number: Int, _ passes: Int) throws -> Bool {
        guard let former = job.former else { return false }
        try job.files.makeFolder("cluster")
        guard
            let old = try? CellFiles(job).effort(of: number, passes, in: former.files).ground,
            old.points != nil, try isUnchanged(number, since: former, old)
        else { return false }
        let (own, name) = (job.files, job.name(of: number))
        return zip(files(of: name, passes, in: former.files), files(of: name, passes, in: own))
            .allSatisfy { own.has($1) || former.give($0, as: $1, of: own) }
    }

    func run(_ number: Int, passes: Int) throws -> SquareOutcome {
        if isDone(number, passes) { return .there }
        return try takeOver(number, passes) ? .written : make(number, passes) {}
    }

    /// Clusters a square whose files are neither there nor in the job before.
    /// - Parameter tellWidened: is called after each attempt whose margin was too narrow.
    func make(_ number: Int, _ passes: Int, tellWidened: () -> Void) throws -> SquareOutcome {
        try job.files.makeFolder("cluster")
        var task = job.task(of: number, passes)
        var attempts = 1
        while true {
            try job.checkCancelled()
            do {
                try attempt(number, task, attempts: attempts)
                return .written
            } catch CellFailure.tooManyPasses {
                let level = job.levels.index(of: number)
                var marker = try job.write(job.files.tooFew(passes, level: level))
                try marker.finish()
                return .tooManyPasses
            } catch CellFailure.marginTooNarrow {
                task = task.widened
                attempts += 1
                tellWidened()
            }
        }
    }
}

extension CellJob {
    /// The phase that clusters the squares of a level.
    func clustering(ofLevel level: Int) -> any SquarePhase {
        level == 0 ? ClusterPhase(job: self) : UpperPhase(job: self)
    }

    /// The squares of a level that have not been clustered.
    func unclustered(ofLevel level: Int) -> [Int] {
        let (phase, passes) = (clustering(ofLevel: level), passLimit(ofLevel: level))
        return levels.levels[level].numbers.filter { !phase.isDone($0, passes) }
    }

    /// The squares that may be clustered next: those left on the lowest level that is not finished.
    var unclustered: [Int] {
        levels.levels.indices.lazy.map(unclustered).first { !$0.isEmpty } ?? []
    }

    /// The task of a square for its first attempt.
    func task(of number: Int, _ passes: Int) -> CellTask {
        let cutZoom = levels.level(of: number).cutZoom
        return CellTask(
            cell: levels.square(number), cutZoom: cutZoom,
            // The nodes near a cell come from its neighbours (`BorderReach`).
            reach: levels.isCell(number) ? 0 : BorderReach.reach(recipe.tiles, from: cutZoom),
            margin: margin(cutZoom: cutZoom), passLimit: passes)
    }
}
