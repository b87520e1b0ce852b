import Geometry
import Points
import Testing

/// Points that carry nothing: many of them begin where one record does.
struct EmptyRecordTests {
    private static func table(_ records: [Int]) -> PointTable {
        var (table, batch) = (PointTable(), PointBatch())
        let key = table.attributes.keys.intern("n")
        for (row, count) in records.enumerated() {
            for _ in 0..<count { batch.records.append(key, integer: Int64(row)) }
            batch.append(WorldPoint(x: 0.25, y: 0.5))
        }
        table.append(batch)
        return table
    }

    @Test(arguments: [[0, 0, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1], [0, 1, 0, 0]])
    func `those that stay are there when those behind them go`(records: [Int]) {
        for count in 0...records.count {
            var table = Self.table(records)
            table.truncate(to: count)
            #expect(table.count == count)
            var met: [Bool] = []
            table.attributes.forEachRecord(of: 0..<count) { met.append($1.bytes.count > 0) }
            #expect(met == records.prefix(count).map { $0 > 0 })
            table.append(Self.table([1]))
            #expect(table.attributes.value(of: "n", row: count) == .integer(0))
            #expect((0..<count).allSatisfy { (table.attributes[$0].bytes.count > 0) == met[$0] })
        }
    }
}
