import Platform
import Recipes
import TileArchive

/// A build that is cut into cells, phase by phase over the folder of its job.
///
/// Each phase is a function of files: whatever is there already stays, and what is run twice, or by two
/// processes at once, gives the same files.
///
///     try CellBuild.plan(build)
///     let cells = try CellBuild(in: "job/", options: options)
///     try cells.cluster()
///     try cells.top()
///     try cells.tiles()
///     let report = try cells.merge(to: "out.mbtiles", in: MBTiles.self)
public struct CellBuild: Sendable {
    private let job: CellJob
    private let progress: @Sendable (BuildProgress) -> Void

    /// The job in a folder that has a plan.
    public init(
        in folder: String, options: BuildOptions,
        progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) throws {
        guard (try? FileStatus(of: folder))?.kind == .directory else {
            throw JobError.notPlanned(folder: folder)
        }
        job = try CellJob(in: JobFolder(folder), options: options)
        self.progress = progress
    }

    /// A part of the cells: one of as many tasks.
    public struct Share: Equatable, Sendable {
        public let task: Int
        public let count: Int

        /// - Parameter task: from 1 to `count`.
        public init?(_ task: Int, of count: Int) {
            guard count > 0, count <= 1_000_000, (1...count).contains(task) else { return nil }
            self.task = task
            self.count = count
        }
    }

    /// Cells that follow one another, about as many points in each share.
    private func cells(of share: Share?) -> [Int] {
        let cells = Array(job.division.cells.indices)
        guard let share else { return cells }
        // A cell without points costs something, too.
        let weights = job.division.counts.map { $0 + 1 }
        let total = weights.reduce(0, +)
        var before = 0
        return cells.filter { cell in
            defer { before += weights[cell] }
            let middle = before + weights[cell] / 2
            return min(middle * share.count / total, share.count - 1) == share.task - 1
        }
    }

    /// Clusters cells. Where a zoom takes more passes than were supposed, all cells must be run again: a
    /// task on its own does its part of that, and says so by what is left to do.
    public func cluster(_ share: Share? = nil) throws {
        while try !CellRun(job, progress: progress).cluster(cells(of: share)) {}
    }

    public func top() throws {
        try require("cluster", ClusterPhase(job: job).missing(job.passLimit))
        try TopPhase(job: job, passes: job.passLimit).run()
    }

    public func tiles(_ share: Share? = nil) throws {
        try require("cluster", ClusterPhase(job: job).missing(job.passLimit))
        try require("top", topIsDone ? [] : ["the top"])
        try CellRun(job, progress: progress).tiles(cells(of: share))
    }

    public func merge(
        to path: String, in container: any ArchiveContainer.Type
    ) throws -> BuildReport {
        try require("top", topIsDone ? [] : ["the top"])
        try require("tiles", TilesPhase(job: job, passes: job.passLimit).missing)
        var sinkOptions = SinkOptions()
        sinkOptions.replacesExisting = job.options.replacesExisting
        sinkOptions.isCancelled = job.options.isCancelled
        sinkOptions.folder = job.options.folder
        let sink = try container.sink(to: path, options: sinkOptions)
        if let reason = CutRefusal.reason(for: job.recipe) {
            throw JobError.cannotCut(reason: reason)
        }
        var clock = StageClock()
        var report = BuildReport()
        report.cells = try CellFigures(job)
        try MergePhase(job: job, sink: sink, tell: progress).run(&report, &clock)
        report.fileBytes = container.outputs(at: path).reduce(0) {
            $0 + ((try? FileStatus.byteCount(at: $1)) ?? 0)
        }
        report.stages = clock.stages
        return report
    }

    private var topIsDone: Bool { TopPhase(job: job, passes: job.passLimit).isDone }

    private func require(_ phase: String, _ missing: [String]) throws(JobError) {
        guard !missing.isEmpty else { return }
        throw .missing(phase: phase, cells: missing, folder: job.folder.path)
    }

    /// How far the job is.
    public struct Status: Sendable {
        public var points: Int
        public var figures: CellFigures
        public var isTopDone: Bool
        public var tiled: Int

        /// The phase that may run next.
        public var next: String {
            if figures.clustered < figures.cells { return "cluster" }
            if !isTopDone { return "top" }
            return tiled < figures.cells ? "tiles" : "merge"
        }
    }

    public func status() throws -> Status {
        let figures = try CellFigures(job)
        let untiled = TilesPhase(job: job, passes: figures.passLimit).missing
        return Status(
            points: job.plan.leafCount, figures: figures, isTopDone: topIsDone,
            tiled: figures.cells - untiled.count)
    }
}

extension ClusterPhase {
    /// The cells that have not been clustered.
    func missing(_ passes: Int) -> [String] {
        job.division.cells.indices.filter { !isDone($0, passes) }
            .map { job.division.cells[$0].cellName }
    }
}

extension TilesPhase {
    /// The cells that have no tiles yet.
    var missing: [String] {
        job.division.cells.indices.filter { !isDone($0) }.map { job.division.cells[$0].cellName }
    }
}
