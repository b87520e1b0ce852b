/// Runs the phases of a job in this process, cell by cell.
struct CellRun {
    let job: CellJob
    let progress: @Sendable (BuildProgress) -> Void

    private func tell(_ stage: BuildStage, _ done: Int, of total: Int, subject: String? = nil) {
        progress(
            BuildProgress(stage: stage, unit: "cells", done: done, total: total, subject: subject))
    }

    /// Clusters all squares, level by level. If a zoom takes more passes than were supposed, its whole level is run again.
    func clusterAll() throws {
        for level in job.levels.levels {
            while try !cluster(level.numbers, among: job.levels.numbers) {}
        }
    }

    /// Clusters some squares of one level; false if a zoom takes more passes than were supposed.
    /// - Parameter all: the squares that progress counts, if these are some of them.
    func cluster(_ squares: some Collection<Int>, among all: Range<Int>? = nil) throws -> Bool {
        guard let level = squares.first.map(job.levels.index) else { return true }
        let passes = job.passLimit(ofLevel: level)
        do {
            let phase = job.clustering(ofLevel: level)
            try forEach(squares, among: all, .cluster) { number in
                try phase.isDone(number, passes) || phase.takeOver(number, passes)
            } work: { job, number, tell in
                let outcome = try job.clustering(ofLevel: level).make(number, passes) {
                    tell("\(job.name(of: number)) looks further around")
                }
                if case .tooManyPasses = outcome { throw TooManyPasses() }
            }
        } catch is TooManyPasses {
            return false
        }
        return true
    }

    private struct TooManyPasses: Error {}

    /// Works on squares, as many at once as threads and memory allow.
    /// - Parameters:
    ///   - all: the squares that progress counts, if these are some of them.
    ///   - isTaken: whether a square's files are there, or could be taken over from the job before.
    ///   - work: may report what it is doing with a square.
    private func forEach(
        _ squares: some Collection<Int>, among all: Range<Int>? = nil, _ stage: BuildStage,
        unless isTaken: @escaping @Sendable (Int) throws -> Bool,
        work:
            @escaping @Sendable (
                CellJob, Int, _ tell: @escaping @Sendable (String) -> Void
            ) throws -> Void
    ) throws {
        // Squares that take no time are done first, as threads are shared among the rest.
        let rest = try job.rest(of: Array(squares), unless: isTaken)
        let total = all?.count ?? squares.count
        let before = all.flatMap { all in squares.min().map { $0 - all.lowerBound } } ?? 0
        var done = before + squares.count - rest.count
        // For a level above others, the end of the level below has already reported this.
        if done > before || before == 0 { tell(stage, done, of: total) }
        try job.forEach(rest, holding: held) { inner, cell in
            try work(inner, cell) { tell(stage, 0, of: total, subject: $0) }
        } done: {
            done += 1
            tell(stage, done, of: total)
        }
    }

    /// The number of points that a square holds in memory, or that take as much as the nodes that are handed up in it.
    private func held(_ number: Int) -> Int {
        // Where each file is a request, the number of points must do, which is more.
        guard !job.levels.isCell(number), !job.folder.isRemote,
            let efforts = try? CellFiles(job).efforts(
                of: UpperGround(of: number, job, within: 0).own)
        else { return job.levels.points(in: number) }
        let nodes = efforts.reduce(0) { $0 + $1.counts.reduce(0, +) }
        return CellForecast.points(like: nodes, job.layerOptions)
    }

    func tiles(_ squares: some Collection<Int>) throws {
        let phase = TilesPhase(job: job)
        try forEach(squares, .tiles) { number in
            try phase.isDone(number) || phase.takeOver(number)
        } work: { job, number, _ in
            try TilesPhase(job: job).make(number)
        }
    }
}
