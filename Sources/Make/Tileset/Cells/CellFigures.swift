/// How a build was cut, and what that took.
public struct CellFigures: Sendable, Equatable {
    public var cells: Int
    public var cutZoom: Int
    /// How many passes a zoom was supposed to take at last.
    public var passLimit: Int
    /// How often all cells were begun: once, and again each time that a zoom took more passes.
    public var rounds = 1
    /// Cells that have been clustered, and the points that lie in them.
    public var clustered = 0
    public var points = 0
    /// The points that they looked at, those around them included.
    public var loadedPoints = 0
    /// Cells that had to look further around than at first.
    public var widened = 0
    /// Cells whose points are those of the job before, so that their files are.
    public var takenOver = 0

    /// Points looked at for each that lies in a cell.
    public var loadedShare: Double { Double(loadedPoints) / Double(max(points, 1)) }

    init(_ job: CellJob) throws {
        let passes = job.passLimit
        cells = job.division.cells.count
        cutZoom = job.cutZoom
        passLimit = passes
        while job.plan.passLimit << (rounds - 1) < passes { rounds += 1 }
        let phase = ClusterPhase(job: job)
        let done = job.division.cells.indices.filter { phase.isDone($0, passes) }
        for (cell, effort) in zip(done, try CellFiles(job).efforts(of: done)) {
            clustered += 1
            points += job.division.counts[cell]
            loadedPoints += effort.loaded
            if effort.attempts > 1 { widened += 1 }
            let name = job.name(of: cell)
            if job.former?.gave({ $0.frontier(of: name, passes) }, to: job.files) ?? false {
                takenOver += 1
            }
        }
    }
}
