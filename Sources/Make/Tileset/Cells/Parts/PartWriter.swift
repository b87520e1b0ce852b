import Clustering
import Geometry
import ParallelColumns
import Platform
import PointInput
import Points
import Recipes
import Synchronization

/// Writes the points of a part while they are read: so many at a time are in memory, put in order along
/// the Hilbert curve and written in blocks.
final class PartWriter: PointSpill {
    private struct State: ~Copyable {
        var writer: JobFileWriter
        var survey: PointSurvey
        var blocks: [PartBlock] = []
        var used: Set<AttributeKey> = []
        var count = 0
        var sum: UInt64 = 0
    }
    private let state: Mutex<State>
    private let keys: AttributeKeys
    private let layer: Int
    private let groupBy: String?
    private let wraps: Bool
    private let threads: Int

    /// So many points wait in memory, and so many make a block.
    private static let rowsInRun = 1 << 20
    private static let rowsInBlock = 1 << 9
    /// So deep along the curve: deeper than stretches tell, so that points of a cell come near each other.
    private static let sortZoom: UInt8 = 16

    /// - Parameter path: where the points go until their name is known.
    init(
        _ path: String, job: String, _ keys: AttributeKeys, layer: Int, of layerCount: Int,
        groupBy: String?, facets: [[Facet]] = [], wraps: Bool, threads: Int
    ) throws(JobError) {
        self.keys = keys
        self.layer = layer
        self.groupBy = groupBy
        self.wraps = wraps
        self.threads = threads
        state = Mutex(
            State(
                writer: try JobFileWriter(path, job: job),
                survey: PointSurvey(layerCount: layerCount, facets: facets)))
    }

    /// Of a layer's points, until they get their name in the folder of parts.
    convenience init(
        in folder: PartFolder, _ recipe: Recipe, layer: Int, _ keys: AttributeKeys, threads: Int
    ) throws {
        let clusters = recipe.layers[layer].clusters?.options
        try self.init(
            folder.points(of: "unnamed"), job: folder.job, keys, layer: layer,
            of: recipe.layers.count, groupBy: clusters?.groupBy, facets: try recipe.facets(),
            wraps: clusters?.wrap ?? true, threads: threads)
    }

    var count: Int { state.withLock { $0.count } }

    func take(_ table: inout PointTable, of input: String) throws(InputError) {
        guard table.count >= Self.rowsInRun else { return }
        do { try takeAll(&table) } catch {
            throw .noTemporaryFile(directory: "--job", reason: "\(error)")
        }
    }

    func goBack(to count: Int, _ table: inout PointTable, of input: String) throws(InputError) {
        let taken = self.count
        guard count < taken else { return table.truncate(to: count - taken) }
        throw .readFailed(input: input, offset: 0, reason: "a part can be read only once")
    }

    /// Writes what is in memory.
    func takeAll(_ table: inout PointTable) throws(JobError) {
        guard table.count > 0 else { return }
        let points = table
        table = PointTable(keys: keys)
        let rows = Workers.with(threads, expecting: HilbertSort.scratch * points.count) { workers in
            let order = HilbertSort.sorted(
                points.count, zoom: Self.sortZoom, workers: workers
            ) { row in
                let position = points.position(of: row)
                return (TileGrid.fixed(position.x), TileGrid.fixed(position.y))
            }
            var rows = Column<UInt32>(capacity: points.count)
            for index in 0..<order.count { rows.append(order[index].item) }
            return rows
        }
        var start = 0
        while start < rows.count {
            let end = min(start + Self.rowsInBlock, rows.count)
            var block = PointTable(keys: keys)
            block.append(PointBatch(rows.span.extracting(start..<end), of: points))
            try write(block)
            start = end
        }
    }

    private func write(_ points: PointTable) throws(JobError) {
        var sink = BlockSink()
        sink.write(points)
        let bytes = sink.bytes
        let sum = ByteSum.of(bytes.span)
        let stretch = stretch(of: points)
        let used = points.usedKeys()
        try state.withLock { state throws(JobError) in
            state.blocks.append(
                PartBlock(stretch: stretch, offset: state.writer.size, count: points.count))
            try state.writer.append(bytes)
            state.survey.add(points, layer: layer, groupBy: groupBy, wraps: wraps, sum: sum)
            state.used.formUnion(used)
            state.count += points.count
        }
    }

    /// Where points lie along the curve. A point near an edge of tiles may count for one tile where it is
    /// looked for in cells, and for the next where it is rounded to a grid; both are in the stretch.
    private func stretch(of points: PointTable) -> ClosedRange<UInt64> {
        var (first, last) = (UInt64.max, UInt64(0))
        for row in 0..<points.count {
            let position = points.position(of: row)
            let tile = TileID(
                holding: position.inSquare(wraps: wraps), zoom: PartBlock.zoom)
            let rounded = HilbertSort.key(
                x: TileGrid.fixed(position.x), y: TileGrid.fixed(position.y),
                zoom: PartBlock.zoom)
            let distance = Hilbert.distance(x: tile.x, y: tile.y, order: PartBlock.zoom)
            first = min(first, distance, rounded)
            last = max(last, distance, rounded)
        }
        return first...max(first, last)
    }

    /// All is written: what there is to know of it, by which the points get their path.
    func finish(
        _ report: InputReport, at path: (PartHead) -> String
    ) throws(JobError) -> PartHead {
        let (keys, layer, report) = (keys, layer, report)
        return try state.withLock { state throws(JobError) in
            let head = PartHead(
                layer: layer, names: keys.names, used: state.used.map(keys.name).sorted(),
                survey: state.survey, report: report, blocks: state.blocks)
            try state.writer.finish(as: path(head))
            return head
        }
    }

    /// All is written: the part gets its name, and last its head.
    func finish(_ report: InputReport, in folder: PartFolder) throws(JobError) -> PartReport {
        let head = try finish(report) { folder.points(of: $0.name) }
        try head.write(to: folder.head(of: head.name), job: folder.job)
        return PartReport(head)
    }
}
