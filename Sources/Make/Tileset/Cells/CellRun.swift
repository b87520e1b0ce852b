import TileArchive

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
        for (done, cell) in cells.enumerated() {
            tell(.cluster, done, of: cells.count)
            let name = job.division.cells[cell].cellName
            let phase = ClusterPhase(job: job) {
                tell(.cluster, done, of: cells.count, subject: "\(name) looks further around")
            }
            if case .tooManyPasses = try phase.run(cell, passes: passes) { return false }
        }
        tell(.cluster, cells.count, of: cells.count)
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
            tell(.tiles, done, of: cells.count)
            try phase.run(cell)
        }
    }
}
