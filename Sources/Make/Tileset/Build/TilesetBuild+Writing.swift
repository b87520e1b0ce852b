import ArchiveContract
import Geometry
import Pipelines
import Synchronization
import TileArchive

extension TilesetBuild {
    /// Encodes the tiles of all zooms in several threads and writes them from this one.
    /// - Returns: the box that holds what they draw.
    func writeTiles(
        of drawn: DrawnLayers, _ nodes: TileNodes, _ grids: [TileGrid],
        to sink: any ArchiveSink, _ report: inout BuildReport
    ) throws -> WorldBox {
        let depth = recipe.tiles.variableDepth ? VariableDepth(leafCount: drawn.leafCount) : nil
        let batches = TileBatches(of: nodes, grids: grids, order: sink.tileOrder, depth)
        let keys = drawn.keyNames
        let compression = recipe.tiles.compression
        try OrderedPipeline(threads: options.threads).run(
            next: {
                try self.checkCancelled()
                return batches.next()
            },
            state: {
                WorkerState(
                    TileEncoder(drawing: drawn, nodes: nodes, keys: keys, compression: compression))
            },
            work: { encoder, batch in encoder.value.encode(batch) },
            consume: { tiles in
                try sink.write(
                    tiles.entries.map(\.tile), gzip: tiles.bytes.span,
                    ends: tiles.entries.map(\.end))
                tiles.forEach { report.include($0, bytes: $1) }
                tell(.tiles, "tiles", report.tileCount, of: nil, subject: "z\(tiles.grid.zoom)")
            })
        report.leftOutTiles = depth?.leftOut ?? [:]
        return batches.drawn.whole
    }

    /// Writes the leaf blocks, and with each the rows of the clusters that start in it: so the index
    /// is written, by ascending key, while the next blocks are made.
    func writeLeafBlocks(
        of drawn: DrawnLayers, in layout: LeafBlockLayout, to sink: any ArchiveSink
    ) throws {
        let count = Int(layout.blockCount(forLeaves: Int64(drawn.leafCount)))
        let pieces = PieceCounter(total: count, size: 1)
        let keys = drawn.keyNames
        let compression = recipe.tiles.compression
        let reaches =
            sink.wantsBlockIndex ? try drawn.reaches(in: layout, threads: options.threads) : nil
        try OrderedPipeline(threads: options.threads).run(
            next: {
                try self.checkCancelled()
                return pieces.next()
            },
            state: { WorkerState(LeafBlockEncoder(keys: keys, compression: compression)) },
            work: { encoder, piece in
                let block = drawn.block(Int64(piece.lowerBound), in: layout)
                guard let reach = reaches?[piece.lowerBound] else {
                    return encoder.value.encode(block)
                }
                return encoder.value.encode(
                    block, reach, copies: drawn.run(of: reach.worthACopy))
            },
            consume: { block in
                try sink.write(block)
                tell(.leaves, "blocks", Int(block.number) + 1, of: count)
            })
    }
}
