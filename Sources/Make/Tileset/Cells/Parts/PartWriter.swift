import Clustering
import Geometry
import ParallelColumns
import Platform
import PointInput
import Points
import Recipes
import Synchronization

/// Writes the points of a part, a run of them at a time: sorted along the Hilbert curve, and in blocks.
final class PartWriter: Sendable {
    /// The facts about the points that have been written.
    struct Written: Sendable {
        var survey: PointSurvey
        var blocks: [PartBlock] = []
        var used: Set<AttributeKey> = []
    }

    private struct State: ~Copyable {
        var writer: JobFileWriter
        var written: Written
    }
    private let state: Mutex<State>
    private let keys: AttributeKeys
    private let layer: Int
    private let recipe: Recipe
    private let threads: Int
    private let keepsSums: Bool

    /// The number of points in a block, and the number of blocks that are made before they are written.
    private static let rowsInBlock = 1 << 9
    private static let blocksAtOnce = 1 << 7
    /// The zoom by which points are sorted: deeper than that of stretches, so that points of a cell are close together.
    private static let sortZoom: UInt8 = 16

    /// Begins the part of a layer's points.
    /// - Parameter survey: a survey of no points.
    init(
        in folder: PartFolder, _ recipe: Recipe, layer: Int, _ survey: PointSurvey,
        _ keys: AttributeKeys, threads: Int
    ) throws(JobError) {
        self.keys = keys
        self.layer = layer
        self.threads = threads
        self.recipe = recipe
        keepsSums = folder.folder.keepsFiles
        state = Mutex(
            State(
                writer: try JobFileWriter(folder.points(of: "unnamed"), job: folder.job),
                written: Written(survey: survey)))
    }

    /// The facts about the points written so far. Setting it to an earlier value discards what was written since.
    var written: Written {
        get { state.withLock { $0.written } }
        set { state.withLock { $0.written = newValue } }
    }

    /// The number of bytes written so far.
    var byteCount: Int { state.withLock { $0.writer.size } }

    /// Writes some points of a table as a run.
    /// - Parameter first: the number of the table's first point among all of the layer.
    func write(
        _ points: PointTable, _ run: Range<Int>, from first: Int = 0
    ) throws(JobError) {
        let scratch = HilbertSort.scratch * run.count
        let noPoints = keepsSums ? PointsSum(knowing: keys) : nil
        let result = Workers.with(threads, expecting: scratch) { workers in
            Result { () throws(JobError) in
                let order = HilbertSort.sorted(
                    run.count, zoom: Self.sortZoom, workers: workers
                ) { row in
                    let position = points.position(of: run.lowerBound + row)
                    return (TileGrid.fixed(position.x), TileGrid.fixed(position.y))
                }
                let blocks = stride(from: 0, to: order.count, by: Self.rowsInBlock).map {
                    $0..<min($0 + Self.rowsInBlock, order.count)
                }
                for start in stride(from: 0, to: blocks.count, by: Self.blocksAtOnce) {
                    let next = blocks[start..<min(start + Self.blocksAtOnce, blocks.count)]
                    let made = workers.map(Array(next)) { rows in
                        let rows = rows.map { UInt32(run.lowerBound) + order[$0].item }
                        return block(of: points, rows, from: first, noPoints)
                    }
                    for block in made { try append(block) }
                }
            }
        }
        try result.get()
    }

    private struct Block: Sendable {
        let points: PointTable
        let bytes: [UInt8]
        let stretch: ClosedRange<UInt64>
        let used: Set<AttributeKey>
        let sum: UInt64?
    }

    private func block(
        of points: PointTable, _ rows: [UInt32], from first: Int, _ noPoints: PointsSum?
    ) -> Block {
        var block = PointTable(keys: keys)
        block.append(rows.span, of: points)
        var sink = BlockSink()
        sink.write(block)
        // Points get their numbers in the input as ids.
        if recipe.layers[layer].input.generateID {
            let numbers = Column(rows.map { UInt64(first) + UInt64($0) })
            sink.write(numbers)
            block.numberPoints(numbers)
        }
        var sum = noPoints
        sum?.include(block, of: layer)
        return Block(
            points: block, bytes: sink.bytes, stretch: stretch(of: block), used: block.usedKeys(),
            sum: sum?.value)
    }

    private func append(_ block: Block) throws(JobError) {
        let sum = ByteSum.of(block.bytes.span)
        try state.withLock { state throws(JobError) in
            state.written.blocks.append(
                PartBlock(
                    stretch: block.stretch, offset: state.writer.size,
                    count: block.points.count, sum: block.sum))
            try state.writer.append(block.bytes)
            state.written.survey.add(block.points, layer: layer, of: recipe, sum: sum)
            state.written.used.formUnion(block.used)
        }
    }

    /// The stretch of the curve with these points. A point near the edge of a tile may be in one
    /// tile for cells, and in the next one when it is rounded to a grid; the stretch includes both.
    private func stretch(of points: PointTable) -> ClosedRange<UInt64> {
        let shift = 32 - UInt32(PartBlock.zoom)
        let wraps = recipe.layers[layer].wraps
        var (first, last) = (UInt64.max, UInt64(0))
        var met: TileID?
        func meet(_ tile: TileID) {
            // Most points are in the same tile as the one before.
            guard tile != met else { return }
            met = tile
            let distance = Hilbert.distance(x: tile.x, y: tile.y, order: PartBlock.zoom)
            (first, last) = (min(first, distance), max(last, distance))
        }
        for row in 0..<points.count {
            let position = points.position(of: row)
            meet(TileID(holding: position.inSquare(wraps: wraps), zoom: PartBlock.zoom))
            meet(
                TileID(
                    z: PartBlock.zoom, x: TileGrid.fixed(position.x) >> shift,
                    y: TileGrid.fixed(position.y) >> shift))
        }
        return first...max(first, last)
    }

    /// Ends the file: the part gets its name, which depends on all facts about its points.
    func finish(_ report: InputReport, in folder: PartFolder) throws(JobError) -> NamedHead {
        let (keys, layer) = (keys, layer)
        return try state.withLock { state throws(JobError) in
            let written = state.written
            let head = NamedHead(
                PartHead(
                    layer: layer, names: keys.names, used: written.used.map(keys.name).sorted(),
                    survey: written.survey, report: report, blocks: written.blocks,
                    rows: written.blocks.pointCount))
            try state.writer.finish(as: folder.points(of: head.name))
            return head
        }
    }
}
