import Clustering
import Geometry
import ParallelColumns
import Platform
import PointInput
import Points
import Recipes
import Synchronization

/// Writes the points of a part, a run of them at a time: in order along the Hilbert curve, and in blocks.
final class PartWriter: Sendable {
    /// What is known of the points that have been written.
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
    private let groupBy: String?
    private let wraps: Bool
    /// Whether points are to have their numbers in the input as ids.
    private let numbers: Bool
    private let threads: Int
    private let keepsSums: Bool

    /// So many points make a block, and so many blocks are made before they are written.
    private static let rowsInBlock = 1 << 9
    private static let blocksAtOnce = 1 << 7
    /// So deep along the curve: deeper than stretches tell, so that points of a cell come near each other.
    private static let sortZoom: UInt8 = 16

    /// Of a layer's points.
    /// - Parameter survey: of none.
    init(
        in folder: PartFolder, _ recipe: Recipe, layer: Int, _ survey: PointSurvey,
        _ keys: AttributeKeys, threads: Int
    ) throws(JobError) {
        self.keys = keys
        self.layer = layer
        self.threads = threads
        let clusters = recipe.layers[layer].clusters?.options
        groupBy = clusters?.groupBy
        wraps = clusters?.wrap ?? true
        numbers = recipe.layers[layer].input.generateID
        keepsSums = folder.keepsFiles
        state = Mutex(
            State(
                writer: try JobFileWriter(folder.points(of: "unnamed"), job: folder.job),
                written: Written(survey: survey)))
    }

    /// What has been written so far. To give it back is to forget what was written since.
    var written: Written {
        get { state.withLock { $0.written } }
        set { state.withLock { $0.written = newValue } }
    }

    /// How much has been written.
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
        block.append(PointBatch(rows.span, of: points))
        var sink = BlockSink()
        sink.write(block)
        if numbers {
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
            state.written.survey.add(
                block.points, layer: layer, groupBy: groupBy, wraps: wraps, sum: sum)
            state.written.used.formUnion(block.used)
        }
    }

    /// Where points lie along the curve. A point near an edge of tiles may count for one tile where it is
    /// looked for in cells, and for the next where it is rounded to a grid; both are in the stretch.
    private func stretch(of points: PointTable) -> ClosedRange<UInt64> {
        let shift = 32 - UInt32(PartBlock.zoom)
        var (first, last) = (UInt64.max, UInt64(0))
        var met: TileID?
        func meet(_ tile: TileID) {
            // Most lie where the one before does.
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

    /// All is written: the points get their name, by all that there is to know of them.
    func finish(_ report: InputReport, in folder: PartFolder) throws(JobError) -> PartHead {
        let (keys, layer) = (keys, layer)
        return try state.withLock { state throws(JobError) in
            let written = state.written
            let head = PartHead(
                layer: layer, names: keys.names, used: written.used.map(keys.name).sorted(),
                survey: written.survey, report: report, blocks: written.blocks)
            try state.writer.finish(as: folder.points(of: head.name))
            return head
        }
    }
}
