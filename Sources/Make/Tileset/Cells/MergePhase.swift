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
            let layouts =
                try job.recipe.tiles.leaves
                ? LeafFile(job).blockLayouts() : job.recipe.layers.map { _ in .usual }
            let ledger = try writeLeaves(top, layouts, opening)
            return ArchiveFacts(
                job.recipe, ledger, keys: job.keys.names, layouts, job.zooms, drawnBox,
                deepest: report.deepestZoom, generator: job.plan.generator
            ).metadata
        }
        tell(progress(.finish, "tiles", report.tileCount, of: report.tileCount))
        try clock.time(.finish) { try sink.finish(metadata) }
        (report.bounds, report.center) = (metadata.bounds, metadata.center)
        report.tell(job.zooms, spread: top.map(\.spread))
        report.clusterIDsMayEqualPointIDs = job.mayEqualPointIDs
        report.layers = job.plan.layers.indices.map { layer in
            BuildReport.Layer(
                name: job.recipe.layers[layer].name, input: job.plan.layers[layer].report,
                points: job.plan.layers[layer].points, clusters: top[layer].clusterCount,
                heldClusters: top[layer].heldCount, skippedValues: top[layer].skipped,
                facets: job.plan.layers[layer].facets)
        }
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
        _ top: [TopClusters], _ layouts: [LeafBlockLayout], _ opening: UInt8
    ) throws -> LeafLedger {
        let facts = zip(job.recipe.layers, job.firstLeaves).enumerated().map { index, layer in
            var facts = LayerFacts(
                layer.0.name, firstLeaf: layer.1, groupCount: job.plan.layers[index].groups.count,
                attributes: TilesetBuild.attributes(of: layer.0),
                extras: job.zooms.extras(of: layer.0), opening: opening)
            facts.include(top[index].spread)
            return facts
        }
        return try LeafStage(
            options: job.recipe.tiles, keys: job.keys.names, layouts: layouts,
            threads: job.options.threads, checkCancelled: job.checkCancelled
        ).run(
            try LeafWalk(job, top: top, layouts), facts,
            ids: { try LeafFile(job).forEachID(top, $0) }, to: sink
        ) {
            tell(progress(.leaves, "points", $0, of: job.plan.leafCount))
        }
    }
}
