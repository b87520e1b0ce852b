import ArchiveContract
import Geometry
import Pipelines
import Points
import Recipes
import TileArchive

/// Makes the tiles of a part of the world, and writes them to a file: a stream of each zoom's tiles along the
/// Hilbert curve, an index of them, zoom by zoom, the ids of the clusters, and figures of all of them.
struct CellTiles {
    private let job: CellJob

    init(_ job: CellJob) { self.job = job }

    /// - Parameters:
    ///   - cell: the square whose tiles are made; nil means all.
    ///   - depth: says which tiles are left out.
    ///   - ids: the ids of each layer's clusters.
    ///   - inputs: a sum over all that the file depends on, where it is known.
    ///   - file: the file's path among the files of a job.
    func write(
        _ drawn: DrawnLayers, _ zooms: [UInt8], in cell: TileID?, _ depth: VariableDepth?,
        ids: [SortedIDs], inputs: UInt64? = nil, to file: (JobFiles) -> String
    ) throws {
        let nodes = drawn.nodes(maxZoom: job.zooms.maxZoom, threads: job.options.threads)
        let grids = zooms.map { job.zooms.grid(at: $0) }
        let batches = TileBatches(
            of: nodes, grids: grids, order: .alongHilbertCurve, depth, within: cell)
        let keys = drawn.keyNames
        let compression = job.recipe.tiles.compression
        let sums = job.keepsFiles ? NodeSums(of: drawn, threads: job.options.threads) : nil
        let former = job.former.flatMap { FormerTiles(file($0.files), job) }
        var writer = try TilePartWriter(file(job.files), job)
        let isCancelled = job.options.isCancelled
        try OrderedPipeline(threads: job.options.threads).run(
            next: {
                if isCancelled() { throw BuildError.cancelled }
                return batches.next()
            },
            state: {
                WorkerState(
                    TileEncoder(
                        drawing: drawn, nodes: nodes, keys: keys, compression: compression,
                        sums: sums, former: former))
            },
            work: { encoder, batch in encoder.value.encode(batch) },
            consume: { tiles in try writer.append(tiles) })
        try writer.finish(batches.drawn, leftOut: depth?.leftOut ?? [:], ids, inputs: inputs)
    }
}
