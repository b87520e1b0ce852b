/// How a build was cut, and how much work that took.
public struct CellFigures: Sendable, Equatable {
    public var cells: Int
    public var cutZoom: Int
    /// How many passes a zoom was supposed to take in the last round.
    public var passLimit: Int
    /// How often all cells were begun: once, and again each time a zoom took more passes than supposed.
    public var rounds = 1
    /// The number of clustered cells, and of the points that lie in them.
    public var clustered = 0
    public var points = 0
    /// The number of points that they looked at, including those around them.
    public var loadedPoints = 0
    /// The number of cells that had to look further around than at first.
    public var widened = 0
    /// The number of cells whose files were taken over, as their points are those of the job before.
    public var takenOver = 0

    /// Points looked at for each point that lies in a cell.
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
