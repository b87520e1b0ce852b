import ArchiveContract
import Geometry
import Points

/// The points that a cell looked at, which its files depend on. If a cell of the job before looked
/// at the same, it has the same files.
struct CellGround: Equatable, Sendable {
    /// The margin in which all points were known.
    var margin: Double
    /// The margin in which points were looked at, which may be wider.
    var reach: Double
    /// A sum over these points; nil if files are not to be taken over.
    var points: UInt64?
}

/// All that a file depends on, in one number.
struct InputSum {
    private var sink = BlockSink()
    /// False if a part of it has no sum.
    var isKnown = true

    init(_ kind: String) { sink.write(kind) }

    mutating func include(_ bytes: BlockSink) { sink.write(bytes.bytes) }

    mutating func include(_ number: UInt64) { sink.write(number) }

    /// Includes the points that the files of a cell depend on.
    mutating func include(_ ground: CellGround, of cell: TileID) {
        if ground.points == nil { isKnown = false }
        sink.write(cell.cellName)
        sink.write(ground)
    }

    /// Nil if not all is known.
    var value: UInt64? { isKnown ? ByteSum.of(sink.bytes.span) : nil }
}

extension CellGround: BlockRecord {
    static var layout: BlockLayout<Self> { .init(Self.init, \.margin, \.reach, \.points) }
}
