import Clustering
import Geometry
import Points

/// The points of all cells on their way into files.
struct CellSpools {
    /// What gathers for one file.
    private final class Spool {
        private var writer: JobFileWriter
        private var waiting: [PointTable]
        private let keys: AttributeKeys

        init(_ path: String, _ job: CellJob) throws(JobError) {
            writer = try job.write(path)
            keys = job.keys
            waiting = job.plan.layers.map { _ in PointTable(keys: job.keys) }
        }

        func add(
            _ rows: [UInt32], of points: PointTable, layer: Int, limit: Int
        ) throws(JobError) {
            waiting[layer].append(PointBatch(rows.span, of: points))
            if waiting[layer].count >= limit { try flush(layer) }
        }

        private func flush(_ layer: Int) throws(JobError) {
            guard waiting[layer].count > 0 else { return }
            var sink = BlockSink()
            sink.write(layer)
            sink.write(waiting[layer])
            try writer.append(sink.bytes)
            waiting[layer] = PointTable(keys: keys)
        }

        func finish() throws(JobError) {
            for layer in waiting.indices { try flush(layer) }
            try writer.finish()
        }
    }

    private let division: CellDivision
    private let margin: Double
    /// For each layer whether the world's east and west edges meet.
    private let wraps: [Bool]
    private let own: [Spool]
    private let near: [Spool]
    /// So many points of a cell wait in memory.
    private let limit: Int

    init(_ job: CellJob) throws(JobError) {
        division = job.division
        // What is stored near a cell may be more than is near it, never less.
        margin = job.margin * (1 + 1e-9)
        wraps = job.layerOptions.map(\.wrap)
        limit = min(max((1 << 19) / division.cells.count, 64), 1 << 14)
        var (own, near): ([Spool], [Spool]) = ([], [])
        for cell in division.cells {
            own.append(try Spool(job.files.points(of: cell.cellName), job))
            near.append(try Spool(job.files.pointsNear(cell.cellName), job))
        }
        self.own = own
        self.near = near
    }

    /// Adds the points of a stretch of input.
    mutating func add(_ points: PointTable, layer: Int) throws {
        var ownRows: [[UInt32]] = Array(repeating: [], count: own.count)
        var nearRows: [[UInt32]] = Array(repeating: [], count: own.count)
        for row in 0..<points.count {
            let position = points.position(of: row).inSquare(wraps: wraps[layer])
            let x = position.x
            let cell = division.cell(x, position.y)
            ownRows[cell].append(UInt32(row))
            let square = division.cells[cell]
            let origin = square.origin
            let inside = min(
                x - origin.x, position.y - origin.y, origin.x + square.width - x,
                origin.y + square.width - position.y)
            guard inside < margin else { continue }
            let box = WorldBox(
                minX: x - margin, minY: position.y - margin, maxX: x + margin,
                maxY: position.y + margin)
            var seen: [Int] = [cell]
            division.forEachCell(touching: box) { other in
                // A wide box may meet a cell from both sides.
                guard !seen.contains(other) else { return }
                seen.append(other)
                nearRows[other].append(UInt32(row))
            }
        }
        for cell in own.indices {
            if !ownRows[cell].isEmpty {
                try own[cell].add(ownRows[cell], of: points, layer: layer, limit: limit)
            }
            if !nearRows[cell].isEmpty {
                try near[cell].add(nearRows[cell], of: points, layer: layer, limit: limit)
            }
        }
    }

    mutating func finish() throws(JobError) {
        for spool in own { try spool.finish() }
        for spool in near { try spool.finish() }
    }
}
