import ArchiveContract
import Clustering
import Platform
import PointInput
import Points
import Recipes
import TileArchive

extension TilesetBuild {
    /// The store that takes points out of memory if they do not fit, or if the build is to be cut.
    func pointStore(_ keys: AttributeKeys, _ memory: MemoryLimit) throws -> PointStore {
        if let reason = reasonToStayWhole, options.cells.isForced {
            throw JobError.cannotCut(reason: reason)
        }
        let mayCut = memory.allowed >= memoryForCells.least
        let isTooLarge = memoryForecastOfFiles.bytes > memory.allowed
        let carried = carriedOfPoint
        let (folder, directory) = (options.cells.folder, options.temporaryDirectory)
        let remote = options.cells.remote
        let isCut = options.cells.isForced || (isTooLarge && mayCut)
        if isCut {
            try DiskForecast(files: sourceFiles).check(job: folder ?? directory, archive: archive)
        }
        return try PointStore(
            recipe, keys, options, always: isCut,
            makeFolder: { () throws(JobError) in
                if let folder { return try JobFolder(folder, remote: remote) }
                return try JobFolder(temporaryIn: directory)
            },
            mustTake: { points, bytes in
                // A build in memory numbers 2^31 points, however much memory there is.
                mayCut
                    && (points > 1 << 30
                        || MemoryForecast(
                            points: points, tableBytes: bytes, carried: points * carried
                        ).bytes > memory.allowed)
            }, ownsParts: true)
    }

    /// The memory for a build in cells; endless if it may not be cut.
    var memoryForCells: MemoryLimit.ForCells {
        if reasonToStayWhole != nil { return .never }
        return MemoryLimit.ForCells(
            least: CellForecast.least(carriedOfPoint: carriedOfPoint),
            enough: CellForecast.enough(carriedOfPoint: carriedOfPoint))
    }

    /// The forecast before anything is read.
    var memoryForecastOfFiles: MemoryForecast {
        MemoryForecast(files: sourceFiles, carriedOfPoint: carriedOfPoint)
    }

    /// About how many bytes clusters will carry for each point, as far as is known before points are read.
    private var carriedOfPoint: Int {
        recipe.layers.map { CarriedBytes(of: $0).ofPoint }.max() ?? 0
    }

    /// Why the build may not be cut; nil if it may.
    private var reasonToStayWhole: String? {
        if let reason = CutRefusal.reason(for: recipe) { return reason }
        return keeper == nil || !recipe.generatesIDs
            ? nil
            : "points are kept for updates (--keep-points), and their ids (--generate-id) follow from "
                + "their order, which cells do not keep"
    }

    /// Builds in cells from the points that a store has taken.
    func run(
        _ store: PointStore, to sink: any ArchiveSink, _ clock: inout StageClock
    ) throws -> BuildReport {
        try begin(.plan)
        let job = try clock.time(.plan) { try plan(store) }
        return try run(job, to: sink, &clock)
    }

    /// Does the rest of a job.
    func run(
        _ job: CellJob, to sink: any ArchiveSink, _ clock: inout StageClock
    ) throws -> BuildReport {
        do {
            return try runPhases(of: job, to: sink, &clock)
        } catch JobError.damaged(let path) {
            let isTaken = job.former?.discard(path, of: job.files) ?? false
            throw isTaken ? JobError.discarded(path: path) : .damaged(path: path)
        }
    }

    private func runPhases(
        of job: CellJob, to sink: any ArchiveSink, _ clock: inout StageClock
    ) throws -> BuildReport {
        try CutRefusal.check(recipe)
        if keepsPointsInJob { try keeper?.refer(to: job) }
        let run = CellRun(job: job, progress: progress)
        try clock.time(.cluster) { try run.clusterAll() }
        let figures = try CellFigures(job)
        job.files.releasePoints()
        try clock.time(.layout) { try TopPhase(job: job).run() }
        try clock.time(.tiles) { try run.tiles(job.levels.numbers) }
        var report = BuildReport()
        report.cells = figures
        try MergePhase(job: job, archive: archive, tell: progress).run(to: sink, &report, &clock)
        if keepsPointsInJob { try WrittenArchive(path, of: job.files).note() }
        report.fileBytes = container.fileBytes(at: path)
        report.stages = clock.stages
        job.removeFormer()
        return report
    }

    /// The job in the build's folder, if it is for this build; nil if there is none, or its inputs have changed since.
    func plannedJob() throws -> CellJob? {
        guard let path = options.cells.folder, JobFolder.holdsPlan(path) else { return nil }
        let folder = try JobFolder(path, remote: options.cells.remote)
        let job = try CellJob(in: folder, options: options)
        if job.plan.answers(recipe, options, sources) { return job }
        guard job.plan.answersButInputs(recipe, options), !folder.isRemote else {
            throw JobError.plannedOtherwise(folder: path)
        }
        return nil
    }

    /// Reads the points, and writes a plan and the points to the job's folder; does nothing if
    /// there is a plan.
    public func planCells() throws {
        if try plannedJob() != nil { return }
        var clock = StageClock()
        let (store, _) = try readWithinMemory(&clock)
        try begin(.plan)
        _ = try plan(store)
    }

    private func plan(_ store: PointStore) throws -> CellJob {
        try PlanPhase(
            recipe: recipe, points: try store.points(), keys: store.keys, options: options,
            sources: sources, archive: archive
        ).run()
    }

    /// The path of the archive, if this run makes one.
    private var archive: String? { path.isEmpty ? nil : path }

    /// The present state of the inputs. A run that is given points, or keeps them elsewhere, has
    /// inputs like no other, so that it always reads them.
    var sources: [String] {
        let isAlone = update != nil || (keeper != nil && !keepsPointsInJob)
        return Self.states(of: inputFiles) + (isAlone ? ["run \(Process.uniqueName)"] : [])
    }

    /// All files that are read, each with all by which changes show: another file with the size and the time of the
    /// former one is another, and so is one that got its time back.
    public var inputStates: [String] {
        Self.states(of: inputFiles + options.otherInputs) { path, status in
            let time = FileStatus.changeTime(of: path)
            return " \(status.identity.inode) \(time?.seconds ?? 0).\(time?.nanoseconds ?? 0)"
        }
    }

    /// The files, each with its size and time, which copies of it keep.
    /// - Parameter more: what else belongs to the state of a file.
    private static func states(
        of files: [String], more: (String, FileStatus) -> String = { _, _ in "" }
    ) -> [String] {
        // A database in use may keep its latest rows in a file beside it.
        let logs = files.map { $0 + "-wal" }.filter { (try? FileStatus(of: $0)) != nil }
        return (files + logs).map { path in
            guard let status = try? FileStatus(of: path), status.isRegular else { return path }
            return "\(path) \(status.size) \(status.changedSeconds).\(status.changedNanoseconds)"
                + more(path, status)
        }
    }
}

/// What cannot be built in cells, at present or in principle.
enum CutRefusal {
    static func check(_ recipe: Recipe) throws(JobError) {
        if let reason = reason(for: recipe) { throw .cannotCut(reason: reason) }
    }

    static func reason(for recipe: Recipe) -> String? {
        if recipe.tiles.bins != nil {
            return "bins (--bins) are made of all points at once, which must be in memory"
        }
        for layer in recipe.layers {
            guard let clusters = layer.clusters else {
                return "layer \(layer.name) is not clustered, so nothing becomes less further up"
            }
            if layer.input.dedupe != nil {
                return
                    "layer \(layer.name) is freed of duplicates (--dedupe), for which all of its points "
                    + "must be in memory"
            }
            let fields = clusters.fields.filter { ClusterAttribute.ofParents.contains($0) }
            if !fields.isEmpty {
                let names = fields.map(\.name).joined(separator: ", ")
                return
                    "clusters of layer \(layer.name) say what they go into (\(names)), which a cell does "
                    + "not know of those that it hands up"
            }
            do throws(ClusteringError) {
                try clusters.options.checkCells()
            } catch {
                return "\(error)"
            }
        }
        return nil
    }
}
