import Recipes
import Clustering
import Geometry
import JSON
import Pipelines
import PointInput
import Points
import TileArchive

/// Bakes one archive: reads, clusters, lays out, encodes, writes.
///
///     let report = try TilesetBuild(recipe, to: "out.mbtiles").run { print($0.stage) }
public struct TilesetBuild: Sendable {
    let recipe: Recipe
    let path: String
    let container: any ArchiveContainer.Type
    let options: BuildOptions
    let progress: @Sendable (BuildProgress) -> Void

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
    }

    /// Does it. The archive appears whole at the end; if this throws, it does not appear.
    public func run() throws -> BuildReport {
        var clock = StageClock()
        var report = BuildReport()
        // Refused before any work: an output that exists or cannot be written.
        let sink = try container.sink(to: path, options: sinkOptions)
        try MemoryForecast(files: sourceFiles).check(allowed: options.memory)
        var inputs = try clock.time(.read) { try readLayers() }
        try MemoryForecast(
            points: inputs.reduce(0) { $0 + $1.table.count },
            tableBytes: inputs.reduce(0) { $0 + $1.table.byteCount }
        ).check(allowed: options.memory)
        let plan = clock.time(.plan) {
            ZoomPlan(for: inputs, recipe.tiles, threads: options.threads)
        }
        report.zoomReason = plan.reason
        let (drawn, nodes) = try cluster(&inputs, plan, &clock)
        report.clusterIDsMayEqualPointIDs = drawn.ids.mayEqualPointIDs
        let statistics = try clock.time(.statistics) {
            try drawn.layers.map {
                try LayerStatistics.of($0, ids: drawn.ids, threads: options.threads)
            }
        }
        let grids = plan.zooms.map { plan.grid(at: $0) }
        sink.expect(bytes: Self.expectedBytes(of: drawn))
        try clock.time(.tiles) {
            try writeTiles(of: drawn, nodes, grids, to: sink, &report)
        }
        if recipe.tiles.leaves {
            try clock.time(.leaves) {
                try writeLeafBlocks(of: drawn, to: sink)
            }
        }
        let metadata = ArchiveAccount(
            recipe, drawn, statistics, plan, generator: options.generator
        ).metadata
        tell(.finish, "tiles", report.tileCount, of: report.tileCount)
        let start = clock.now
        try sink.finish(metadata)
        clock.note(.finish, since: start)
        report.fileBytes = FileSize.bytes(of: path)
        report.layers = zip(inputs, drawn.layers).map { input, layer in
            BuildReport.Layer(
                name: layer.name, input: input.report, points: layer.tree.leafCount,
                clusters: layer.tree.clusterCount,
                heldClusters: layer.tree.count(
                    formedPast: plan.clusterMaxZoom(of: input.layer)),
                skippedValues: layer.tree.skippedValues.map {
                    ($0.aggregate, $0.missing + $0.unusable)
                })
        }
        report.stages = clock.stages
        return report
    }

    private var sinkOptions: SinkOptions {
        var options = SinkOptions()
        options.replacesExisting = self.options.replacesExisting
        options.isCancelled = self.options.isCancelled
        return options
    }

    /// About how many bytes the archive will have: each node once in a tile, each point in a block.
    private static func expectedBytes(of drawn: DrawnLayers) -> Int {
        let features = drawn.nodeCount + drawn.leafCount
        return Int(ZoomPlan.featureBytes(of: drawn.layers.map(\.table)) * Double(features))
    }

    func tell(
        _ stage: BuildStage, _ unit: String, _ done: Int, of total: Int?, subject: String? = nil
    ) {
        progress(
            BuildProgress(stage: stage, unit: unit, done: done, total: total, subject: subject))
    }

    func checkCancelled() throws {
        if options.isCancelled() { throw BuildError.cancelled }
    }
}
