import TileArchive

/// Runs the phases of a job in this process, cell by cell.
struct CellRun {
    let job: CellJob
    private let progress: @Sendable (BuildProgress) -> Void

    init(_ job: CellJob, progress: @escaping @Sendable (BuildProgress) -> Void) {
        self.job = job
        self.progress = progress
    }

    private func tell(_ stage: BuildStage, _ done: Int) {
        progress(
            BuildProgress(
                stage: stage, unit: "cells", done: done, total: job.division.cells.count,
                subject: nil))
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
        for (done, cell) in cells.enumerated() {
            tell(.cluster, done)
            let outcome = try ClusterPhase(job: job).run(cell, passes: passes)
            if case .tooManyPasses = outcome { return false }
        }
        tell(.cluster, cells.count)
        return true
    }

    func top(_ clock: inout StageClock) throws {
        try clock.time(.layout) { try TopPhase(job: job, passes: job.passLimit).run() }
    }

    func tilesOfAll(_ clock: inout StageClock) throws {
        try clock.time(.tiles) { try tiles(job.division.cells.indices) }
    }

    func tiles(_ cells: some Collection<Int>) throws {
        let phase = TilesPhase(job: job, passes: job.passLimit)
        for (done, cell) in cells.enumerated() {
            tell(.tiles, done)
            try phase.run(cell)
        }
    }
}
