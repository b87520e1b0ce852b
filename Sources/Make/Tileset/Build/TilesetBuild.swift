import ArchiveContract
import Recipes
import Clustering
import Geometry
import JSON
import Pipelines
import Platform
import PointInput
import Points
import TileArchive

/// Builds one archive: reads, clusters, lays out, encodes, writes.
///
///     let report = try TilesetBuild(recipe, to: "out.mbtiles").run { print($0.stage) }
public struct TilesetBuild: Sendable {
    let recipe: Recipe
    let path: String
    let container: any ArchiveContainer.Type
    let options: BuildOptions
    let progress: @Sendable (BuildProgress) -> Void
    /// The source of the points of an update, instead of the recipe's sources.
    var update: UpdateInput?
    /// Stores the points, if they are to be kept.
    let keeper: PointKeeper?

    public init(
        _ recipe: Recipe, to path: String, in container: any ArchiveContainer.Type = MBTiles.self,
        options: BuildOptions = BuildOptions(),
        progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) {
        self.recipe = recipe
        self.path = path
        self.container = container
        self.options = options
        self.progress = progress
        keeper = options.keepsPoints ? PointKeeper(beside: path, PointsSum(for: recipe)) : nil
    }

    /// Runs the build. The archive appears whole at the end; if this throws, it does not appear.
    public func run() throws -> BuildReport {
        // An update has the lock already.
        let lock =
            try options.replacesExisting && update == nil ? KeptPoints.lock(beside: path) : nil
        defer { extendLifetime(lock) }
        let report = try build()
        if options.replacesExisting, keeper == nil, !KeptPoints.files(beside: path).isEmpty {
            let folder = KeptPoints.lockFolder(of: path)
            defer { extendLifetime(folder) }
            KeptPoints.removeOthers(beside: path)
        }
        return report
    }

    private func build() throws -> BuildReport {
        var clock = StageClock()
        // Checked before any work: an output that is an input, exists or cannot be written.
        try checkOutputs()
        var sink = try container.sink(to: path, options: sinkOptions)
        if let keeper { sink = KeepingSink(sink, keeper) }
        if let job = try plannedJob() {
            return try run(job, to: sink, &clock)
        }
        if let update, let kept = update.parts {
            return try run(changedJob(update, kept, &clock), to: sink, &clock)
        }
        let (store, inputs) = try readWithinMemory(&clock)
        if store.isTaking { return try run(store, to: sink, &clock) }
        return try run(inputs, to: sink, &clock)
    }

    /// Builds the archive in memory.
    func run(
        _ read: [LayerInput], to sink: any ArchiveSink, _ clock: inout StageClock
    ) throws -> BuildReport {
        var inputs = read
        var report = BuildReport()
        try begin(.plan)
        let plan = clock.time(.plan) {
            var plan = ZoomPlan(for: inputs, recipe.tiles, threads: options.threads)
            for input in inputs { plan.facets[input.layer.name] = input.facets }
            return plan
        }
        let (drawn, nodes) = try cluster(&inputs, plan, &clock)
        report.tell(plan, spread: drawn.layers.map { $0.spread?.extent })
        report.clusterIDsMayEqualPointIDs = drawn.mayEqualPointIDs
        let grids = plan.zooms.map { plan.grid(at: $0) }
        let drawnBox = try clock.time(.tiles) {
            try writeTiles(of: drawn, nodes, grids, to: sink, &report)
        }
        let ledger = try clock.time(.leaves) { try writeLeaves(of: drawn, to: sink) }
        let metadata = ArchiveFacts(
            recipe, ledger, keys: drawn.keyNames, plan, drawnBox,
            deepest: report.deepestZoom, generator: options.generator
        ).metadata
        tell(.finish, "tiles", report.tileCount, of: report.tileCount)
        try clock.time(.finish) { try sink.finish(metadata) }
        report.fileBytes = container.fileBytes(at: path)
        (report.bounds, report.center) = (metadata.bounds, metadata.center)
        report.layers = reports(of: drawn, inputs, plan)
        report.stages = clock.stages
        return report
    }

    private func checkOutputs() throws(BuildError) {
        let kept = KeptFiles(inputFiles + options.otherInputs)
        for output in container.outputs(at: path) { try kept.check(output) }
    }

    /// Reads the points; where they are too many for memory, the store has them.
    func readWithinMemory(
        _ clock: inout StageClock, _ limit: MemoryLimit? = nil
    ) throws -> (PointStore, [LayerInput]) {
        TemporaryFile.removeLeftovers(in: options.temporaryDirectory)
        let memory =
            limit
            ?? MemoryLimit(
                allowed: options.memory, threads: options.threads, forCells: memoryForCells)
        let keys = AttributeKeys()
        let store = try pointStore(keys, memory)
        // Where too little is allowed for cells, they may do with what all points at once would need.
        if !store.isTaking || (options.cells.zoom == nil && !memory.mayHoldCells) {
            try memory.check(memoryForecastOfFiles.bytes)
        }
        let inputs = try clock.time(.read) { try readLayers(keys, within: memory, store) }
        if !store.isTaking { try memory.check(MemoryForecast(for: inputs).bytes) }
        return (store, inputs)
    }

    private func reports(
        of drawn: DrawnLayers, _ inputs: [LayerInput], _ plan: ZoomPlan
    ) -> [BuildReport.Layer] {
        zip(inputs, drawn.layers).map { input, layer in
            BuildReport.Layer(
                name: layer.name, input: input.report, points: layer.tree.leafCount,
                clusters: layer.tree.clusterCount,
                heldClusters: layer.tree.count(
                    formedPast: plan.clusterMaxZoom(of: input.layer)),
                skippedValues: layer.tree.skippedValues.map {
                    ($0.aggregate, $0.missing + $0.unusable)
                }, facets: plan.facets[layer.name] ?? [],
                bins: layer.bins.map { ($0.count, $0.maxZoom) })
        }
    }

    var sinkOptions: SinkOptions {
        var options = SinkOptions(self.options)
        options.willPublish = self.options.willPublish
        options.mayChange = keeper != nil
        return options
    }

    func tell(
        _ stage: BuildStage, _ unit: String, _ done: Int, of total: Int?, subject: String? = nil
    ) {
        progress(
            BuildProgress(stage: stage, unit: unit, done: done, total: total, subject: subject))
    }

    /// Reports a stage that counts nothing, and throws if the build is cancelled.
    func begin(_ stage: BuildStage) throws {
        try checkCancelled()
        tell(stage, "", 0, of: nil)
    }

    func checkCancelled() throws { try options.checkCancelled() }
}

extension SinkOptions {
    init(_ options: BuildOptions) {
        self.init()
        replacesExisting = options.replacesExisting
        isCancelled = options.isCancelled
        folder = options.folder
        sharesContents = false
    }
}

extension ArchiveContainer {
    /// The size of all files of an archive, in bytes.
    static func fileBytes(at path: String) -> Int {
        outputs(at: path).reduce(0) { $0 + ((try? FileStatus.byteCount(at: $1)) ?? 0) }
    }
}
