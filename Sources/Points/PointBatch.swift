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

    /// Forgets the attributes packed since the last point, as when a record is rejected.
    public mutating func discardUnfinished() {
        records.rewind(to: recordEnds.last.map(Int.init) ?? 0)
    }
}
