import Geometry

/// The points of a stretch of input, as one worker parses it and before they join the table.
public struct PointBatch: Sendable {
    public private(set) var xs: [Double] = []
    public private(set) var ys: [Double] = []
    public private(set) var weights: [Double] = []
    public private(set) var ids: [UInt64] = []
    public private(set) var recordEnds: [UInt32] = []

    /// Where the attributes of the next point are packed, before it is appended.
    public var records = RecordBuilder()

    public init() {}

    /// A batch that is empty and has room for as much as another one holds.
    public init(withRoomOf other: PointBatch) {
        xs.reserveCapacity(other.count)
        ys.reserveCapacity(other.count)
        weights.reserveCapacity(other.count)
        ids.reserveCapacity(other.count)
        recordEnds.reserveCapacity(other.count)
        records.reserve(other.records.bytes.count)
    }

    public var count: Int { xs.count }

    /// Appends a point whose attributes are what was packed since the point before.
    public mutating func append(
        _ place: WorldPoint, weight: Double = 1, id: UInt64 = PointTable.noID
    ) {
        xs.append(place.x)
        ys.append(place.y)
        weights.append(weight)
        ids.append(id)
        recordEnds.append(UInt32(records.bytes.count))
    }

    /// The record that is being packed, before its point is appended.
    public var unfinishedRecord: [UInt8] { Array(records.bytes[finishedEnd...]) }

    /// Takes an attribute out of the record that is being packed, if it is there.
    /// - Complexity: O(record).
    public mutating func removeAttribute(_ key: AttributeKey) {
        let record = unfinishedRecord
        var kept = RecordBuilder()
        var cursor = AttributeRecord(record.span).makeCursor()
        while let attribute = cursor.next() {
            guard attribute.key != key else { continue }
            kept.append(attribute.key, packed: attribute.value)
        }
        guard kept.bytes.count < record.count else { return }
        records.rewind(to: finishedEnd)
        records.append(packed: kept.bytes)
    }

    /// Removes the last points, with their attributes, until `count` are left.
    public mutating func removePoints(from count: Int) {
        xs.removeSubrange(count...)
        ys.removeSubrange(count...)
        weights.removeSubrange(count...)
        ids.removeSubrange(count...)
        recordEnds.removeSubrange(count...)
        records.rewind(to: finishedEnd)
    }

    private var finishedEnd: Int { recordEnds.last.map(Int.init) ?? 0 }

    /// Forgets the attributes packed since the last point, as when a record is rejected.
    public mutating func discardUnfinished() {
        records.rewind(to: finishedEnd)
    }
}
