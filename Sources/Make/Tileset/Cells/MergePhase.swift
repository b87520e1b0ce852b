import ArchiveContract
import Clustering
import Geometry
import Pipelines
import Points
import TileArchive

/// The last phase: lays the tiles of all cells end to end, makes the blocks of leaves, and says in the
/// metadata what the archive is.
struct MergePhase {
    let job: CellJob
    let sink: any ArchiveSink
    let tell: @Sendable (BuildProgress) -> Void

    func run(_ report: inout BuildReport, _ clock: inout StageClock) throws {
        let top = try TopClusters.read(job)
        let drawnBox = try clock.time(.tiles) { try writeTiles(&report) }
        let opening = ArchiveFacts.opening(on: drawnBox, job.zooms)
        let metadata = try clock.time(.leaves) {
            let layout = try job.recipe.tiles.leaves ? LeafFile(job).blockLayout() : .usual
            let ledger = try writeLeaves(top, layout, opening)
            return self.metadata(ledger, layout, drawnBox, report.deepestZoom)
        }
        tell(progress(.finish, "tiles", report.tileCount, of: report.tileCount))
        try clock.time(.finish) { try sink.finish(metadata) }
        (report.bounds, report.center) = (metadata.bounds, metadata.center)
        report.tell(job.zooms, spread: top.map(\.spread))
        report.clusterIDsMayEqualPointIDs = job.ids.mayEqualPointIDs
        report.layers = job.plan.layers.indices.map { layer in
            BuildReport.Layer(
                name: job.recipe.layers[layer].name, input: job.plan.layers[layer].report,
                points: job.plan.layers[layer].points, clusters: top[layer].clusterCount,
                heldClusters: top[layer].heldCount, skippedValues: top[layer].skipped)
        }
    }

    private func metadata(
        _ ledger: LeafLedger, _ layout: LeafBlockLayout, _ drawnBox: WorldBox,
        _ deepest: UInt8?
    ) -> ArchiveMetadata {
        ArchiveFacts(
            job.recipe, ledger.accounts, ledger.statistics, keys: job.keys.names, ids: job.ids,
            layout, job.zooms, drawnBox, deepest: deepest, generator: job.plan.generator
        ).metadata
    }

    private func blockCount(_ layout: LeafBlockLayout) -> Int {
        Int(layout.blockCount(forLeaves: Int64(job.plan.leafCount)))
    }

    private func progress(
        _ stage: BuildStage, _ unit: String, _ done: Int, of total: Int?, subject: String? = nil
    ) -> BuildProgress {
        BuildProgress(stage: stage, unit: unit, done: done, total: total, subject: subject)
    }

    private func writeTiles(_ report: inout BuildReport) throws -> WorldBox {
        var parts = [try PartTiles(job.files.topTiles, nil, job)]
        for cell in job.division.cells {
            parts.append(try PartTiles(job.files.tiles(of: cell.cellName), cell, job))
        }
        let merge = PartMerge(parts, order: sink.tileOrder)
        for zoom in job.zooms.zooms {
            try merge.forEachBatch(of: job.zooms.grid(at: zoom)) { tiles in
                try job.checkCancelled()
                try sink.write(
                    tiles.entries.map(\.tile), gzip: tiles.bytes.span,
                    ends: tiles.entries.map(\.end))
                tiles.forEach { report.include($0, bytes: $1) }
                tell(progress(.tiles, "tiles", report.tileCount, of: nil, subject: "z\(zoom)"))
            }
        }
        for part in parts {
            report.leftOutTiles.merge(part.leftOut) { $0 + $1 }
            job.files.release(part.path)
        }
        return merge.drawn.whole
    }

    private func writeLeaves(
        _ top: [TopClusters], _ layout: LeafBlockLayout, _ opening: UInt8
    ) throws -> LeafLedger {
        var ledger = LeafLedger(job, top, opening: opening)
        let total = blockCount(layout)
        let current = job
        let walked: WalkedBlocks? =
            sink.wantsBlockIndex && job.recipe.tiles.leaves
            ? try WalkedBlocks(walk(top, layout), job, in: layout) {
                tell(progress(.leaves, "blocks read", $0, of: total))
            } : nil
        let walk = try walk(top, layout)
        try OrderedPipeline(threads: job.options.threads).run(
            next: {
                try current.checkCancelled()
                return try walk.next()
            },
            state: { WorkerState(StretchEncoder(current, layout, walked, opening: opening)) },
            work: { encoder, stretch in encoder.value.encode(stretch) },
            consume: { made in
                ledger.add(made)
                for block in made.blocks {
                    try sink.write(block)
                    tell(progress(.leaves, "blocks", Int(block.number) + 1, of: total))
                }
            })
        return ledger
    }

    /// All leaves and clusters in their order.
    private func walk(_ top: [TopClusters], _ layout: LeafBlockLayout) throws -> LeafWalk {
        let streams = try job.division.cells.map {
            try LeafFileReader(job.files.leaves(of: $0.cellName), job)
        }
        return LeafWalk(job, top: top, streams: streams, layout)
    }
}

/// What is known of all layers when all leaves have come.
struct LeafLedger {
    private(set) var accounts: [LayerFacts]
    private var leaves: [LayerStatistics]
    private var clusters: [LayerStatistics]

    init(_ job: CellJob, _ top: [TopClusters], opening: UInt8) {
        let layers = job.recipe.layers
        accounts = zip(layers, job.firstLeaves).enumerated().map { index, layer in
            LayerFacts(
                layer.0.name, firstLeaf: layer.1, groupCount: job.plan.layers[index].groups.count,
                attributes: TilesetBuild.attributes(of: layer.0),
                extras: job.zooms.extras(of: layer.0), opening: opening)
        }
        for (layer, above) in top.enumerated() {
            accounts[layer].include(above.spread)
        }
        leaves = layers.map { LayerStatistics(name: $0.name) }
        clusters = leaves
    }

    mutating func add(_ made: StretchEncoder.Output) {
        for part in made.parts {
            accounts[part.layer].merge(part.account)
            leaves[part.layer].merge(part.leaves)
            clusters[part.layer].merge(part.clusters)
        }
    }

    /// Each point and each cluster counted once, points first.
    var statistics: [LayerStatistics] {
        zip(leaves, clusters).map { leaves, clusters in
            var all = leaves
            all.merge(clusters)
            return all
        }
    }
}
