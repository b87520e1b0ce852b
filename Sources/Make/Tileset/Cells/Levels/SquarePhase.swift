import Clustering

/// A phase that clusters squares one by one.
protocol SquarePhase: Sendable {
    var job: CellJob { get }

    func isDone(_ number: Int, _ passes: Int) -> Bool

    /// Takes a square's files from the job before, if they follow from the same.
    func takeOver(_ number: Int, _ passes: Int) throws -> Bool

    /// Clusters a square and writes its files, or says why it must know more.
    /// - Parameter attempts: which attempt it is.
    func attempt(_ number: Int, _ task: CellTask, attempts: Int) throws -> CellFailure?
}

/// What came of a square.
enum SquareOutcome {
    case written
    /// Was there already.
    case there
    /// A zoom takes more passes than were supposed: all squares of its level are to be run again.
    case tooManyPasses
}

extension SquarePhase {
    func run(_ number: Int, passes: Int) throws -> SquareOutcome {
        if isDone(number, passes) { return .there }
        return try takeOver(number, passes) ? .written : make(number, passes) {}
    }

    /// Makes what is not there, nor was in the job before.
    /// - Parameter tellWidened: is told of each attempt that was not enough.
    func make(_ number: Int, _ passes: Int, tellWidened: () -> Void) throws -> SquareOutcome {
        try job.files.makeFolder("cluster")
        var task = job.task(of: number, passes)
        var attempts = 1
        while true {
            try job.checkCancelled()
            switch try attempt(number, task, attempts: attempts) {
            case nil: return .written
            case .tooManyPasses:
                let level = job.levels.index(of: number)
                var marker = try job.write(job.files.tooFew(passes, level: level))
                try marker.finish()
                return .tooManyPasses
            case .marginTooNarrow:
                task = task.widened
                attempts += 1
                tellWidened()
            }
        }
    }
}

extension CellJob {
    /// What clusters the squares of a level.
    func clustering(ofLevel level: Int) -> any SquarePhase {
        level == 0 ? ClusterPhase(job: self) : UpperPhase(job: self)
    }

    /// The squares of a level that have not been clustered.
    func unclustered(ofLevel level: Int) -> [Int] {
        let (phase, passes) = (clustering(ofLevel: level), passLimit(ofLevel: level))
        return levels.levels[level].numbers.filter { !phase.isDone($0, passes) }
    }

    /// The squares that may be clustered next: what is left of the lowest level of which something is.
    var unclustered: [Int] {
        levels.levels.indices.lazy.map(unclustered).first { !$0.isEmpty } ?? []
    }

    /// What a square clusters at first.
    fileprivate func task(of number: Int, _ passes: Int) -> CellTask {
        let cutZoom = levels.level(of: number).cutZoom
        return CellTask(
            cell: levels.square(number), cutZoom: cutZoom,
            // What stands near a cell is told by its neighbours (`BorderReach`).
            reach: levels.isCell(number) ? 0 : BorderReach.reach(recipe.tiles, from: cutZoom),
            margin: margin(cutZoom: cutZoom), passLimit: passes)
    }
}
