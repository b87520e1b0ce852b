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

    /// Looks at all leaves and clusters, and writes the leaf blocks.
    func writeLeaves(
        of drawn: DrawnLayers, in layouts: [LeafBlockLayout], opening: UInt8,
        to sink: any ArchiveSink
    ) throws -> LeafLedger {
        let facts = drawn.layers.map { layer in
            var facts = LayerFacts(
                layer.name, firstLeaf: layer.firstLeaf, groupCount: layer.tree.groups.count,
                attributes: layer.attributes, extras: layer.extras, opening: opening)
            facts.include(layer.spread?.extent)
            facts.bins = layer.bins
            return facts
        }
        return try LeafStage(
            options: recipe.tiles, keys: drawn.keyNames, layouts: layouts,
            threads: options.threads, checkCancelled: checkCancelled
        ).run(
            TreeLeaves(of: drawn, in: layouts), facts,
            ids: { try drawn.forEachID(threads: options.threads, $0) }, to: sink
        ) {
            tell(.leaves, "points", $0, of: drawn.leafCount)
        }
    }
}
