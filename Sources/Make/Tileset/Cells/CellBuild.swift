import Platform
import Recipes
import TileArchive

/// A build in cells, phase by phase over the folder of its job.
///
/// Each phase is a function of files: a file that is there stays, and a phase that runs twice, or
/// in two processes at once, gives the same files.
///
///     try CellBuild.plan(build)
///     let cells = try CellBuild(in: "job/", options: options)
///     try cells.cluster()
///     try cells.top()
///     try cells.tiles()
///     try cells.index()
///     let report = try cells.merge(to: "out.mbtiles", in: MBTiles.self)
public struct CellBuild: Sendable {
    let job: CellJob
    let progress: @Sendable (BuildProgress) -> Void

    /// The job in a folder that has a plan.
    public init(
        in folder: String, options: BuildOptions,
        progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) throws {
        guard (try? FileStatus(of: folder))?.kind == .directory else {
            throw JobError.notPlanned(folder: folder)
        }
        job = try CellJob(
            in: JobFolder(folder, remote: options.cells.remote), options: options)
        self.progress = progress
    }

    /// A share of the work: one of a number of tasks.
    public struct Share: Equatable, Sendable {
        public let task: Int
        public let count: Int

        /// - Parameter task: the number of the task, from 1 to `count`.
        public init?(_ task: Int, of count: Int) {
            guard count > 0, count <= 1_000_000, (1...count).contains(task) else { return nil }
            self.task = task
            self.count = count
        }
    }

    /// Consecutive squares, with about as many points in each share.
    private func squares(_ all: Range<Int>, of share: Share?) -> [Int] {
        let squares = Array(all)
        return share.map { $0.pick(squares, weights: squares.map(job.levels.points)) } ?? squares
    }

    /// Clusters all squares; with a share, that share of the lowest level that is not finished. If
    /// a zoom takes more passes than were supposed, all of a level must be run again: a task then
    /// does its share of that, and what is left shows in `left(in:)`.
    public func cluster(_ share: Share? = nil) throws {
        let run = CellRun(job: job, progress: progress)
        guard let share else { return try run.clusterAll() }
        guard let left = job.unclustered.first else { return }
        let own = squares(job.levels.level(of: left).numbers, of: share)
        while try !run.cluster(own) {}
    }

    /// Clusters the squares of these names, and calls `tell` after each. False if a zoom takes more
    /// passes than were supposed, so that all of their level must be run again.
    public func cluster(
        named names: [String], tell: (CellOutcome) -> Void
    ) throws -> Bool {
        var begun: Set = [0]
        let squares = try squares(named: names)
        try ClusterPhase(job: job).fetch(
            squares.filter(job.levels.isCell), job.passLimit(ofLevel: 0))
        for number in squares {
            let (name, level) = (job.name(of: number), job.levels.index(of: number))
            if begun.insert(level).inserted {
                try require("cluster", unclustered(ofLevel: level - 1))
            }
            let (phase, passes) = (job.clustering(ofLevel: level), job.passLimit(ofLevel: level))
            let outcome = try told(of: name, in: "cluster") {
                try phase.run(number, passes: passes)
            }
            if case .tooManyPasses = outcome { return false }
            let effort = try CellFiles(job).effort(of: number, passes)
            var isNew = true
            if case .there = outcome { isNew = false }
            tell(
                CellOutcome(
                    cell: name, isNew: isNew, points: job.levels.points(in: number),
                    loadedPoints: effort.loaded, attempts: effort.attempts, nodes: effort.nodes))
        }
        return true
    }

    private func unclustered(ofLevel level: Int) -> [String] {
        job.unclustered(ofLevel: level).map(job.name)
    }

    /// Makes the tiles of the cells of these names, and calls `tell` after each. If the job is elsewhere, blocks of
    /// leaves are made from the same files.
    public func tiles(named names: [String], tell: (CellOutcome) -> Void) throws {
        let phase = TilesPhase(job: job)
        try requireTop()
        let squares = try squares(named: names)
        try phase.fetch(squares.filter { !phase.isDone($0) })
        let leaves =
            job.folder.isRemote
            ? try LeafShare(of: squares.filter(job.levels.isCell), job) : nil
        for cell in squares {
            let name = job.name(of: cell)
            let isNew = !phase.isDone(cell)
            try told(of: name, in: "tiles") {
                try phase.run(cell)
                try leaves?.run(cell)
            }
            var outcome = CellOutcome(
                cell: name, isNew: isNew, points: job.levels.points(in: cell))
            if isNew && job.folder.isRemote { outcome.cuts = try phase.cuts(of: cell) }
            tell(outcome)
        }
    }

    private func squares(named names: [String]) throws(JobError) -> [Int] {
        let all = job.levels.numbers
        let numbers = Dictionary(uniqueKeysWithValues: all.map { (job.name(of: $0), $0) })
        return try names.map { (name) throws(JobError) in
            guard let number = numbers[name] else { throw .noCell(name, folder: job.folder.path) }
            return number
        }
    }

    /// Adds the cell and phase to an error.
    func told<Result>(
        of cell: String, in phase: String, _ work: () throws -> Result
    ) throws -> Result {
        do {
            return try work()
        } catch BuildError.cancelled {
            throw BuildError.cancelled
        } catch {
            throw JobError.inCell(cell, phase: phase, problem: "\(error)")
        }
    }

    /// The squares that may be done next in a phase, with the number of points in each. Those above the cells hold
    /// fewer nodes than points: they count as so many points as there are nodes, about.
    public func left(in phase: String) throws -> [(cell: String, points: Int)] {
        if phase == "index" { return try unitsLeft() }
        let tiles = TilesPhase(job: job)
        let left =
            phase == "tiles"
            ? job.levels.numbers.filter { !tiles.isDone($0) } : job.unclustered
        return left.map {
            (job.name(of: $0), job.levels.points(in: $0) >> (3 * job.levels.index(of: $0)))
        }
    }

    /// Clusters the nodes that are left above the cells.
    public func top() throws {
        try require("cluster", unclustered(ofLevel: 0))
        try CellRun(job: job, progress: progress).clusterAll()
        try TopPhase(job: job).run()
    }

    public func tiles(_ share: Share? = nil) throws {
        try requireTop()
        try CellRun(job: job, progress: progress).tiles(squares(job.levels.numbers, of: share))
    }

    public func merge(
        to path: String, in container: any ArchiveContainer.Type
    ) throws -> BuildReport {
        try requireTiles()
        // For PMTiles, only the bytes that are needed are fetched, piece by piece.
        if container != PMTiles.self {
            try job.folder.fetch(
                [job.files.topTiles]
                    + job.levels.numbers.map { job.files.tiles(of: job.name(of: $0)) })
        }
        let sink = try container.sink(to: path, options: SinkOptions(job.options))
        try CutRefusal.check(job.recipe)
        var clock = StageClock()
        var report = BuildReport()
        report.cells = try CellFigures(job)
        try MergePhase(job: job, tell: progress).run(to: sink, &report, &clock)
        report.fileBytes = container.fileBytes(at: path)
        report.stages = clock.stages
        job.removeFormer()
        return report
    }

    /// Throws if a phase before is not done, the earliest one first.
    func requireTiles() throws {
        if !topIsDone { try requireTop() }
        try require("tiles", TilesPhase(job: job).missing)
    }

    private func requireTop() throws {
        try require("cluster", job.unclustered.map(job.name))
        try require("top", topIsDone ? [] : ["the top"])
    }

    private var topIsDone: Bool { TopPhase(job: job).isDone }

    func require(_ phase: String, _ missing: [String]) throws(JobError) {
        guard !missing.isEmpty else { return }
        throw .missing(phase: phase, cells: missing, folder: job.folder.path)
    }

    /// The progress of a job.
    public struct Status: Sendable {
        public var points: Int
        public var figures: CellFigures
        public var isTopDone: Bool
        /// How many squares are clustered, how many have their tiles, and how many there are: the cells, and the squares above.
        public var clustered: Int
        public var tiled: Int
        public var squares: Int
        /// How many units of the index are done, and how many there are, where that is known.
        public var indexed: (done: Int, all: Int)?

        /// The phase that may run next.
        public var next: String {
            if clustered < squares { return "cluster" }
            if !isTopDone { return "top" }
            if tiled < squares { return "tiles" }
            return indexed.map { $0.done == $0.all } ?? false ? "merge" : "index"
        }
    }

    public func status() throws -> Status {
        let figures = try CellFigures(job)
        let untiled = TilesPhase(job: job).missing
        let unclustered = job.levels.levels.indices.reduce(0) {
            $0 + job.unclustered(ofLevel: $1).count
        }
        return Status(
            points: job.plan.leafCount, figures: figures, isTopDone: topIsDone,
            clustered: job.levels.numbers.count - unclustered,
            tiled: job.levels.numbers.count - untiled.count, squares: job.levels.numbers.count,
            indexed: untiled.isEmpty ? try indexed() : nil)
    }
}

extension TilesPhase {
    /// The squares that have no tiles yet.
    var missing: [String] {
        job.levels.numbers.filter { !isDone($0) }.map(job.name)
    }
}
