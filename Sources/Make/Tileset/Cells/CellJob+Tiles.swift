import ArchiveContract
import Geometry
import Points
import Recipes
import TileArchive

extension CellJob {
    /// Makes the tiles of a part of the world, and writes them to a file: a stream of each zoom's tiles along the
    /// Hilbert curve, an index of them, zoom by zoom, the ids of the clusters, and figures of all of them.
    /// - Parameters:
    ///   - cell: the square whose tiles are made; nil means all.
    ///   - depth: says which tiles are left out.
    ///   - ids: the ids of each layer's clusters.
    ///   - inputs: a sum over all that the file depends on, where it is known.
    ///   - file: the file's path among the files of a job.
    func writeTiles(
        of drawn: DrawnLayers, _ shown: [UInt8], in cell: TileID?, _ depth: VariableDepth?,
        ids: [SortedIDs], inputs: UInt64? = nil, to file: (JobFiles) -> String
    ) throws {
        let nodes = drawn.nodes(maxZoom: zooms.maxZoom, threads: options.threads)
        let grids = shown.map(zooms.grid)
        let batches = TileBatches(
            of: nodes, grids: grids, order: .alongHilbertCurve, depth, within: cell)
        let sums = keepsFiles ? NodeSums(of: drawn, threads: options.threads) : nil
        let before = former.flatMap { FormerTiles(file($0.files), self) }
        var writer = try TilePartWriter(file(files), self)
        try batches.encode(
            drawn, nodes, compression: recipe.tiles.compression, options, sums: sums,
            former: before
        ) { tiles in try writer.append(tiles) }
        try writer.finish(batches.drawn, leftOut: depth?.leftOut ?? [:], ids, inputs: inputs)
    }
}
