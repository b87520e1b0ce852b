import Geometry

/// The points of a stretch of input, as one worker parses it and before they join the table.
public struct PointBatch: Sendable {
    /// A point, and where the record of its attributes ends.
    struct Row: Sendable, BitwiseCopyable {
        var x: Double
        var y: Double
        var id: UInt64
        var recordEnd: UInt32
    }

    private(set) var rows = Column<Row>()
    /// Weights, from the first point on that has another than 1.
    private(set) var weights: [Double] = []
    private(set) var hasIDs = false

    /// Where the attributes of the next point are packed, before it is appended.
    public var records = RecordBuilder()

    public init() {}

    /// Copies the rows of a table that have these numbers.
    public init(_ rows: Span<UInt32>, of table: borrowing PointTable) {
        let (weights, ids) = (table.weights, table.ids)
        for index in rows.indices {
            let row = Int(rows[index])
            records.append(packed: table.attributes[row].bytes)
            append(
                table.position(of: row), weight: weights?[row] ?? 1,
                id: ids?[row] ?? PointTable.noID)
        }
    }

    public var count: Int { rows.count }

    /// Appends a point whose attributes are what was packed since the point before.
    public mutating func append(
        _ position: WorldPoint, weight: Double = 1, id: UInt64 = PointTable.noID
    ) {
        if weight != 1 || !weights.isEmpty { append(weight: weight) }
        if id != PointTable.noID { hasIDs = true }
        let row = Row(x: position.x, y: position.y, id: id, recordEnd: UInt32(records.byteCount))
        rows.append(count: 1) { _ in row }
    }

    /// Appends what stands for a point that goes. It has no place, and the weight of none.
    public mutating func append(_ removal: PointRemoval, id: UInt64) {
        append(WorldPoint(x: 0.5, y: 0.5), weight: removal.rawValue, id: id)
    }

    private mutating func append(weight: Double) {
        if weights.isEmpty { weights = [Double](repeating: 1, count: count) }
        weights.append(weight)
    }

    /// The record that is being packed, before its point is appended.
    public var unfinishedRecord: [UInt8] { records.bytes(from: finishedEnd) }

    /// Calls `body` with the record that is being packed.
    public func withUnfinishedRecord<Result>(
        _ body: (borrowing AttributeRecord) -> Result
    ) -> Result {
        body(AttributeRecord(records.span.extracting(finishedEnd..<records.byteCount)))
    }

    /// How many bytes of the record that is being packed there are.
    public var unfinishedByteCount: Int { records.byteCount - finishedEnd }

    /// Takes attributes out of the record that is being packed.
    /// - Parameter isRemoved: asked with each attribute's key, and where in the record it begins.
    /// - Complexity: O(record).
    public mutating func removeAttributes(
        where isRemoved: (_ key: AttributeKey, _ offset: Int) -> Bool
    ) {
        let record = unfinishedRecord
        var kept = RecordBuilder()
        var cursor = AttributeRecord(record.span).makeCursor()
        while true {
            let offset = cursor.offset
            guard let attribute = cursor.next() else { break }
            guard !isRemoved(attribute.key, offset) else { continue }
            kept.append(attribute.key, packed: attribute.value)
        }
        guard kept.byteCount < record.count else { return }
        records.rewind(to: finishedEnd)
        records.append(packed: kept.bytes)
    }

    /// Removes all points and keeps their memory for those to come.
    public mutating func removeAll() {
        rows.truncate(to: 0)
        weights.removeAll(keepingCapacity: true)
        hasIDs = false
        records.removeAll()
    }

    /// Replaces the positions of the points from `start` on.
    public mutating func mapPositions(from start: Int, _ transform: (WorldPoint) -> WorldPoint) {
        var rows = rows.mutableSpan
        for index in start..<rows.count {
            let position = transform(WorldPoint(x: rows[index].x, y: rows[index].y))
            rows[index].x = position.x
            rows[index].y = position.y
        }
    }

    private var finishedEnd: Int { rows.isEmpty ? 0 : Int(rows[rows.count - 1].recordEnd) }

    /// Forgets the attributes packed since the last point, as when a record is rejected.
    public mutating func discardUnfinished() {
        records.rewind(to: finishedEnd)
    }
}
