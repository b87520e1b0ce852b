import ArchiveContract
import Geometry
import TileArchive

extension TilesetBuild {
    /// Encodes the tiles of all zooms in several threads and writes them from this one.
    /// - Returns: the box around all that they draw.
    func writeTiles(
        of drawn: DrawnLayers, _ nodes: TileNodes, _ grids: [TileGrid],
        to sink: any ArchiveSink, _ report: inout BuildReport
    ) throws -> WorldBox {
        let depth = recipe.tiles.variableDepth ? VariableDepth(leafCount: drawn.leafCount) : nil
        let batches = TileBatches(of: nodes, grids: grids, order: sink.tileOrder, depth)
        var figures = TileFigures()
        try batches.encode(drawn, nodes, compression: recipe.tiles.compression, options) { tiles in
            try sink.write(
                tiles.entries.map(\.tile), gzip: tiles.bytes.span, ends: tiles.entries.map(\.end))
            figures.include(tiles)
            tell(.tiles, "tiles", figures.tileCount, of: nil, subject: "z\(tiles.grid.zoom)")
        }
        report.tell(figures)
        report.leftOutTiles = depth?.leftOut ?? [:]
        return batches.drawn.whole
    }

    /// Goes over all leaves and clusters, and writes the leaf blocks.
    func writeLeaves(of drawn: DrawnLayers, to sink: any ArchiveSink) throws -> LeafLedger {
        let facts = drawn.layers.map { layer in
            var facts = LayerFacts(
                layer.name, firstLeaf: layer.firstLeaf, groupCount: layer.tree.groups.count,
                attributes: layer.attributes, extras: layer.extras)
            facts.include(layer.spread?.extent)
            facts.bins = layer.bins
            return facts
        }
        let stage = LeafStage(
            options: recipe.tiles, keys: drawn.keyNames, threads: options.threads,
            checkCancelled: checkCancelled)
        let source = TreeLeaves(
            of: drawn, withBlocks: recipe.tiles.leaves, threads: options.threads)
        var ledger = LeafLedger(facts)
        var writer = ClusterWriter(sink)
        var done = 0
        try stage.forEachPiece(of: source, facts) { part, blocks in
            ledger.add(part)
            for block in blocks { try writer.write(block) }
            done += part.facts.leafCount
            tell(.leaves, "points", done, of: drawn.leafCount)
        }
        ledger.blocks = try stage.finish(
            writer, source.large, id: { [facts = ledger.facts] in recipe.id(of: $0, facts) },
            ids: { try drawn.forEachID(threads: options.threads, $0) })
        return ledger
    }
}
