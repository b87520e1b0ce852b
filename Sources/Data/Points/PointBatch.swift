import Geometry

/// The points of a part of the input, as parsed by one worker before they join the table.
public struct PointBatch: Sendable {
    /// A point, and the end of its attribute record.
    struct Row: Sendable, BitwiseCopyable {
        var x: Double
        var y: Double
        var id: UInt64
        var recordEnd: UInt32
    }

    private(set) var rows = Column<Row>()
    /// Weights, starting at the first point whose weight is not 1.
    private(set) var weights: [Double] = []
    private(set) var hasIDs = false

    /// The packed attributes; those of the next point precede its `append`.
    public var records = RecordBuilder()

    public init() {}

    public var count: Int { rows.count }

    /// Appends a point whose attributes are those packed since the last point.
    public mutating func append(
        _ position: WorldPoint, weight: Double = 1, id: UInt64 = PointTable.noID
    ) {
        if weight != 1 || !weights.isEmpty { append(weight: weight) }
        if id != PointTable.noID { hasIDs = true }
        let row = Row(x: position.x, y: position.y, id: id, recordEnd: UInt32(records.byteCount))
        rows.append(count: 1) { _ in row }
    }

    /// Appends a row that removes a point. It has no position, and a weight that no point has.
    public mutating func append(_ removal: PointRemoval, id: UInt64) {
        append(WorldPoint(x: 0.5, y: 0.5), weight: removal.rawValue, id: id)
    }

    private mutating func append(weight: Double) {
        if weights.isEmpty { weights = [Double](repeating: 1, count: count) }
        weights.append(weight)
    }

    /// The record being packed, before its point is appended.
    public var unfinishedRecord: [UInt8] { records.bytes(from: finishedEnd) }

    /// Calls `body` with the record being packed.
    public func withUnfinishedRecord<Result>(
        _ body: (borrowing AttributeRecord) -> Result
    ) -> Result {
        body(AttributeRecord(records.span.extracting(finishedEnd..<records.byteCount)))
    }

    /// The bytes of the record being packed.
    public var unfinishedByteCount: Int { records.byteCount - finishedEnd }

    /// Removes attributes from the record being packed.
    /// - Parameter isRemoved: called with each attribute's key and its offset in the record.
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

    /// Removes all points but keeps the memory.
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

    /// Discards the attributes packed since the last point, for instance those of a rejected record.
    public mutating func discardUnfinished() {
        records.rewind(to: finishedEnd)
    }
}
