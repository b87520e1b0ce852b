import Geometry
import Points
import TestSupport
import Testing

struct AttributeTests {
    static let values: [AttributeValue] = [
        .text(""), .text("Zürich"), .text(String(repeating: "x", count: 300)),
        .integer(0), .integer(-1), .integer(.min), .integer(.max), .unsigned(.max),
        .number(0.1), .number(0.5), .number(-1e300), .number(.infinity), .bool(true), .bool(false),
    ]

    @Test(arguments: values)
    func `a value comes back as it was packed`(value: AttributeValue) {
        var batch = PointBatch()
        let table = PointTable()
        batch.records.append(table.attributes.keys.intern("before"), number: 1)
        batch.records.append(table.attributes.keys.intern("key"), value)
        batch.records.append(table.attributes.keys.intern("after"), bool: true)
        batch.append(WorldPoint(x: 0, y: 0))
        var filled = table
        filled.append(batch)
        #expect(filled.attributes.value(of: "before", row: 0) == .integer(1))
        #expect(filled.attributes.value(of: "key", row: 0) == value)
        #expect(filled.attributes.value(of: "after", row: 0) == .bool(true))
        #expect(filled.attributes.value(of: "missing", row: 0) == nil)
    }

    @Test func `a number has one packed form whatever it came from`() {
        let key = AttributeKey(number: 0)
        func packed(_ fill: (inout RecordBuilder) -> Void) -> [UInt8] {
            var records = RecordBuilder()
            fill(&records)
            return records.bytes
        }
        #expect(packed { $0.append(key, number: 3) } == [0, 0x28, 3])
        #expect(packed { $0.append(key, integer: 3) } == [0, 0x28, 3])
        #expect(packed { $0.append(key, number: -2) } == [0, 0x30, 3])
        #expect(packed { $0.append(key, number: 0.5) } == [0, 0x15, 0, 0, 0, 0x3F])
        #expect(packed { $0.append(key, number: -0.0) } == [0, 0x28, 0])
        #expect(packed { $0.append(key, text: "ab") } == [0, 0x0A, 2, 0x61, 0x62])
    }
}

struct PointTableTests {
    @Test func `rows of many batches keep their order, ids, weights and records`() {
        var random = SeededRandom(seed: 5)
        var table = PointTable()
        let key = table.attributes.keys.intern("n")
        var expected: [(x: Double, id: UInt64, weight: Double, n: Int64?)] = []
        for number in 0..<40 {
            var batch = PointBatch()
            for _ in 0..<Int.random(in: 0...50, using: &random) {
                let n = random.next() % 3 == 0 ? nil : Int64(random.next() % 1_000_000)
                if let n { batch.records.append(key, integer: n) }
                let row = (
                    x: random.unit(), id: number < 5 ? PointTable.noID : random.next() % 100,
                    weight: number < 9 ? 1 : random.unit(), n: n
                )
                batch.append(WorldPoint(x: row.x, y: 0.5), weight: row.weight, id: row.id)
                batch.records.append(key, text: "rejected")
                batch.discardUnfinished()
                expected.append(row)
            }
            table.append(batch)
        }
        #expect(table.count == expected.count)
        for (row, point) in expected.enumerated() {
            #expect(table.position(of: row).x == point.x)
            #expect(table.ids?[row] == point.id && table.weights?[row] == point.weight)
            #expect(
                table.attributes.value(of: "n", row: row) == point.n.map(AttributeValue.integer))
        }
    }

    @Test func `columns that say nothing are not kept`() {
        var table = PointTable()
        var batch = PointBatch()
        batch.append(WorldPoint(x: 0, y: 0))
        table.append(batch)
        #expect(table.ids == nil && table.weights == nil)
    }
}

struct ColumnTests {
    @Test func `a mutated copy leaves the original alone`() {
        let original = Column(0..<10)
        var copy = original
        copy[3] = 99
        copy.append(10)
        #expect(original[3] == 3 && original.count == 10)
        #expect(copy[3] == 99 && copy.count == 11)
    }

    @Test func `it grows through spans and single elements alike`() {
        var column = Column<Int>()
        for value in 0..<1_000 { column.append(value) }
        let more = Array(1_000..<5_000)
        column.append(contentsOf: more.span)
        #expect(column.count == 5_000)
        #expect((0..<5_000).allSatisfy { column[$0] == $0 })
    }
}
