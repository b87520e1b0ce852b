import Pipelines

/// Runs the phases of a job in this process, cell by cell.
struct CellRun {
    let job: CellJob
    private let progress: @Sendable (BuildProgress) -> Void

    init(_ job: CellJob, progress: @escaping @Sendable (BuildProgress) -> Void) {
        self.job = job
        self.progress = progress
    }

    private func tell(_ stage: BuildStage, _ done: Int, of total: Int, subject: String? = nil) {
        progress(
            BuildProgress(stage: stage, unit: "cells", done: done, total: total, subject: subject))
    }

    /// Clusters all cells; where a zoom takes more passes than were supposed, all of them again.
    func clusterAll(_ clock: inout StageClock) throws {
        try clock.time(.cluster) {
            while try !cluster(job.division.cells.indices) {}
        }
    }

    /// Clusters some cells; false if a zoom takes more passes than were supposed.
    func cluster(_ cells: some Collection<Int>) throws -> Bool {
        let passes = job.passLimit
        do {
            try forEach(cells, .cluster) { job, cell in
                let phase = ClusterPhase(job: job)
                return try phase.isDone(cell, passes) || phase.takeOver(cell, passes)
            } work: { job, cell, tell in
                let phase = ClusterPhase(job: job) {
                    tell("\(job.division.cells[cell].cellName) looks further around")
                }
                if case .tooManyPasses = try phase.make(cell, passes: passes) {
                    throw TooManyPasses()
                }
            }
        } catch is TooManyPasses {
            return false
        }
        return true
    }

    private struct TooManyPasses: Error {}

    /// Works on cells, on as many at once as there are threads and memory for.
    /// - Parameters:
    ///   - isTaken: whether a cell's files are there, or were in the job before: then they have been given their names.
    ///   - work: may tell what a cell is at.
    private func forEach(
        _ cells: some Collection<Int>, _ stage: BuildStage,
        unless isTaken: @escaping @Sendable (CellJob, Int) throws -> Bool,
        work:
            @escaping @Sendable (
                CellJob, Int, _ tell: @escaping @Sendable (String) -> Void
            ) throws -> Void
    ) throws {
        let counts = job.division.counts
        // A large one that comes last would be waited for.
        let order = try rest(of: cells, isTaken).sorted { counts[$0] > counts[$1] }
        let together = CellForecast.together(order.map { counts[$0] }, job.options)
        var inner = job
        inner.options.threads = max(1, job.options.threads / together)
        let numbers = PieceCounter(total: order.count, size: 1)
        let total = cells.count
        var done = total - order.count
        tell(stage, done, of: total)
        try OrderedPipeline(threads: together, inFlight: max(order.count, 1)).run(
            next: { numbers.next().map { order[$0.lowerBound] } },
            state: { () },
            work: { [inner] _, cell in
                try work(inner, cell) { tell(stage, 0, of: total, subject: $0) }
            },
            consume: { _ in
                done += 1
                tell(stage, done, of: total)
            })
    }

    /// The cells that are left: few may share all threads, so what takes no time comes first.
    private func rest(
        of cells: some Collection<Int>, _ isTaken: @escaping @Sendable (CellJob, Int) throws -> Bool
    ) throws -> [Int] {
        let all = Array(cells)
        let numbers = PieceCounter(total: all.count, size: 1)
        var rest: [Int] = []
        try OrderedPipeline(threads: job.options.threads).run(
            next: { numbers.next().map { all[$0.lowerBound] } },
            state: { () },
            work: { [job] _, cell in try isTaken(job, cell) ? nil : cell },
            consume: { (cell: Int?) in if let cell { rest.append(cell) } })
        return rest
    }

    func top(_ clock: inout StageClock) throws {
        try clock.time(.layout) { try TopPhase(job: job, passes: job.passLimit).run() }
    }

    func tilesOfAll(_ clock: inout StageClock) throws {
        try clock.time(.tiles) { try tiles(job.division.cells.indices) }
    }

    func tiles(_ cells: some Collection<Int>) throws {
        let passes = job.passLimit
        try forEach(cells, .tiles) { job, cell in
            let phase = TilesPhase(job: job, passes: passes)
            return try phase.isDone(cell) || phase.takeOver(cell)
        } work: { job, cell, _ in
            try TilesPhase(job: job, passes: passes).make(cell)
        }
    }
}
