import Geometry
import Pipelines
import Synchronization
import TileArchive

/// The tiles of all zooms, cut into batches for the workers; the layout of a zoom is made while the
/// zoom before is encoded.
final class TileBatches: Sendable {
    /// Some tiles of one zoom.
    struct Batch: Sendable {
        let layout: ZoomLayout
        let tiles: Range<Int>
    }

    /// A batch of this size takes milliseconds: long enough that handing it over costs little,
    /// short enough to share out evenly.
    private static let nodesInBatch = 4_096

    private struct State {
        var layout: ZoomLayout?
        var next = 0
        var drawn = DrawnBoxes()
    }
    private let layouts: ReadAhead<ZoomLayout>
    private let state = Mutex(State())

    /// - Parameters:
    ///   - depth: says which tiles are left out, if any are; for the same square.
    ///   - square: the square whose tiles are made; nil means all.
    init(
        of nodes: TileNodes, grids: [TileGrid], order: TileOrder, _ depth: VariableDepth?,
        within square: TileID? = nil
    ) {
        layouts = ReadAhead { index in
            guard index < grids.count else { return nil }
            let layout = ZoomLayout(of: nodes, grid: grids[index], order: order)
            if let depth { return depth.thinned(layout, of: nodes) }
            guard let square else { return layout }
            return layout.keeping(layout.tiles.filter { $0.lies(in: square, layout) })
        }
    }

    /// The boxes that the zooms so far draw.
    var drawn: DrawnBoxes { state.withLock { $0.drawn } }

    /// The next batch, shallow zooms first; nil after the last.
    func next() -> Batch? {
        state.withLock { state in
            while state.layout.map({ state.next == $0.tiles.count }) ?? true {
                guard let layout = layouts.next() else { return nil }
                state.layout = layout
                state.next = 0
                state.drawn.include(layout.drawnBox, at: layout.grid.zoom)
            }
            guard let layout = state.layout else { return nil }
            let start = state.next
            var nodes = 0
            while state.next < layout.tiles.count, nodes < Self.nodesInBatch {
                nodes += Int(layout.tiles[state.next].count)
                state.next += 1
            }
            return Batch(layout: layout, tiles: start..<state.next)
        }
    }
}

extension TileBatches {
    /// Encodes all tiles in several threads, and calls `body` with them, in their order, on this one.
    /// - Parameters:
    ///   - sums: the sums of `drawn`'s nodes, where tiles are to have sums.
    ///   - former: tiles of a job before, which are not made again where they show the same.
    func encode(
        _ drawn: DrawnLayers, _ nodes: TileNodes, compression: Int, _ options: BuildOptions,
        sums: NodeSums? = nil, former: FormerTiles? = nil, _ body: (EncodedTiles) throws -> Void
    ) throws {
        try OrderedPipeline(threads: options.threads).run(
            next: {
                try options.checkCancelled()
                return self.next()
            },
            state: {
                WorkerState(
                    TileEncoder(
                        drawing: drawn, nodes: nodes, compression: compression, sums: sums,
                        former: former))
            },
            work: { encoder, batch in try encoder.value.encode(batch) }, consume: body)
    }
}
