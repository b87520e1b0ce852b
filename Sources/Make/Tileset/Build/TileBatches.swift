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

    /// A batch this large takes milliseconds: long enough not to feel the hand-over, short enough
    /// to share out evenly.
    private static let nodesInBatch = 4_096

    private struct State {
        var layout: ZoomLayout?
        var next = 0
        var drawn = DrawnBoxes()
    }
    private let layouts: ReadAhead<ZoomLayout>
    private let state = Mutex(State())

    /// - Parameters:
    ///   - depth: what leaves tiles out, if any are to be; of the same square.
    ///   - square: which tiles are made; nil for all.
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

    /// What the zooms so far draw.
    var drawn: DrawnBoxes { state.withLock { $0.drawn } }

    /// The next batch, shallow zooms first; nil behind the last.
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
