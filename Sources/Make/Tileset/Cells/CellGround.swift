import ArchiveContract
import Geometry
import Points

/// What the files of a cell follow from: the points that it looked at. Where a job before this one had the same, it has the
/// same files.
struct CellGround: Equatable, Sendable {
    /// How far around the cell all points were known.
    var margin: Double
    /// How far they were looked at, which may be further.
    var reach: Double
    /// A sum over these points; nil where files are not to be taken over.
    var points: UInt64?
}

extension CellGround {
    init(of cell: Int, margin: Double, reach: Double, _ job: CellJob) throws {
        self.margin = margin
        self.reach = reach
        points = job.keepsFiles ? try CellPoints(job, of: cell, within: reach).sum() : nil
    }
}

/// What a file follows from, in one number.
struct InputSum {
    private var sink = BlockSink()
    /// False where something has no sum.
    var isKnown = true

    init(_ kind: String) { sink.write(kind) }

    mutating func include(_ bytes: BlockSink) { sink.write(bytes.bytes) }

    mutating func include(_ number: UInt64) { sink.write(number) }

    /// Includes what the files of a cell follow from.
    mutating func include(_ ground: CellGround, of cell: TileID) {
        if ground.points == nil { isKnown = false }
        sink.write(cell.cellName)
        sink.write(ground)
    }

    /// Nil where not all is known.
    var value: UInt64? { isKnown ? ByteSum.of(sink.bytes.span) : nil }
}

extension BlockSink {
    mutating func write(_ ground: CellGround) {
        write(ground.margin)
        write(ground.reach)
        write(ground.points.map { [$0] } ?? []) { $0.write($1) }
    }
}

extension BlockSource {
    mutating func ground() throws(Damaged) -> CellGround {
        CellGround(
            margin: try double(), reach: try double(),
            points: try array { (source) throws(Damaged) in try source.unsigned() }.first)
    }
}
