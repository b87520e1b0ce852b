import Geometry
import Points
import TestSupport
import Testing

struct AttributeTableTests {
    /// Records of all sizes, so many that they lie in several pieces.
    static func table(rows: Int) -> (table: AttributeTable, expected: [Int]) {
        var random = SeededRandom(seed: 8)
        var table = AttributeTable()
        let key = table.keys.intern("text")
        var expected: [Int] = []
        while expected.count < rows {
            var records = RecordBuilder()
            var ends: [UInt32] = []
            for _ in 0..<min(rows - expected.count, 1 + Int(random.next() % 40)) {
                let length = Int(random.next() % 3 == 0 ? random.next() % 5_000 : 0)
                if length > 0 {
                    records.append(key, text: String(repeating: "x", count: length))
                }
                ends.append(UInt32(records.byteCount))
                expected.append(length)
            }
            table.append(records.bytes, ends: ends.span)
        }
        return (table, expected)
    }

    static func length(_ table: AttributeTable, _ row: Int) -> Int {
        guard case .text(let text) = table.value(of: "text", row: row) else { return 0 }
        return text.utf8.count
    }

    @Test func `records of many pieces are each row's own, asked one by one or in a row`() {
        let (table, expected) = Self.table(rows: 3_000)
        #expect(table.count == 3_000 && table.byteCount > 1 << 20)
        #expect(expected.indices.allSatisfy { Self.length(table, $0) == expected[$0] })
        var random = SeededRandom(seed: 9)
        for _ in 0..<50 {
            let start = Int(random.next() % 3_000)
            let end = Int.random(in: start...3_000, using: &random)
            var rows: [Int] = []
            var bytes = 0
            table.forEachRecord(of: start..<end) { row, record in
                rows.append(row)
                bytes += record.bytes.count
                var own = 0
                table.withRecord(of: row) { own = $0.bytes.count }
                #expect(own == record.bytes.count)
            }
            #expect(rows == Array(start..<end))
            #expect(
                bytes
                    == expected[start..<end].reduce(0) {
                        $0 + ($1 == 0 ? 0 : $1 + ($1 < 128 ? 3 : 4))
                    })
        }
    }

    @Test(arguments: [0, 1, 1_499, 2_999, 3_000, 4_000])
    func `a table that is cut goes on as one that never was longer`(count: Int) {
        var (table, expected) = Self.table(rows: 3_000)
        table.truncate(to: count)
        expected.removeSubrange(min(count, 3_000)...)
        #expect(table.count == expected.count)
        var records = RecordBuilder()
        records.append(table.keys.intern("text"), text: "abc")
        let ends = [UInt32(records.byteCount)]
        table.append(records.bytes, ends: ends.span)
        expected.append(3)
        #expect(expected.indices.allSatisfy { Self.length(table, $0) == expected[$0] })
    }

    @Test func `a table says what memory it takes`() {
        var table = PointTable()
        var batch = PointBatch()
        batch.records.append(table.attributes.keys.intern("a"), integer: 1)
        batch.append(WorldPoint(x: 0.25, y: 0.75))
        batch.append(WorldPoint(x: 0.25, y: 0.75))
        table.append(batch)
        // Two positions, two starts of records, and a record of three bytes.
        #expect(table.byteCount == 2 * 16 + 2 * 8 + 3)
        #expect(table.position(of: 1) == WorldPoint(x: 0.25, y: 0.75))
        table.numberPoints()
        #expect(table.byteCount == 2 * 24 + 2 * 8 + 3)
        var heavy = PointBatch()
        heavy.append(WorldPoint(x: 0, y: 0), weight: 2)
        table.append(heavy)
        #expect(table.byteCount == 3 * 32 + 3 * 8 + 3)
    }

    @Test func `names keep their keys`() {
        let keys = AttributeKeys()
        #expect(keys.key(named: "a") == nil)
        let (a, b) = (keys.intern("a"), keys.intern("b"))
        #expect(a.number == 0 && b.number == 1 && keys.intern("a") == a)
        #expect(keys.key(named: "b") == b && keys.name(of: b) == "b" && keys.names == ["a", "b"])
    }
}

struct PointBatchTests {
    @Test func `an attribute is taken out of the record that is being packed only`() {
        let table = PointTable()
        let (a, b) = (table.attributes.keys.intern("a"), table.attributes.keys.intern("b"))
        var batch = PointBatch()
        batch.records.append(a, integer: 1)
        batch.append(WorldPoint(x: 0, y: 0))
        batch.records.append(a, integer: 2)
        batch.records.append(b, text: "kept")
        batch.records.append(a, integer: 3)
        batch.removeAttributes { key, _ in key == a }
        batch.append(WorldPoint(x: 0.5, y: 0.25))
        var filled = table
        filled.append(batch)
        #expect(filled.attributes.value(of: "a", row: 0) == .integer(1))
        #expect(filled.attributes.value(of: "a", row: 1) == nil)
        #expect(filled.attributes.value(of: "b", row: 1) == .text("kept"))
    }

    @Test func `a batch that is emptied takes weights and attributes with it`() {
        var table = PointTable()
        let key = table.attributes.keys.intern("n")
        var batch = PointBatch()
        for number in 0..<4 {
            batch.records.append(key, integer: Int64(number))
            batch.append(WorldPoint(x: Double(number) / 10, y: 0), weight: Double(number + 1))
        }
        batch.records.append(key, integer: 99)
        batch.append(WorldPoint(x: 0.75, y: 0), weight: 5)
        batch.mapPositions(from: 3) { WorldPoint(x: $0.x, y: $0.y + 0.5) }
        table.append(batch)
        #expect(table.count == 5)
        #expect((0..<5).map { table.weights?[$0] } == [1, 2, 3, 4, 5])
        #expect((0..<5).map { table.ys[$0] } == [0, 0, 0, 0.5, 0.5])
        #expect(
            (0..<5).map { table.attributes.value(of: "n", row: $0) }
                == [0, 1, 2, 3, 99].map { .integer($0) })
        batch.removeAll()
        #expect(batch.count == 0)
        batch.append(WorldPoint(x: 0.1, y: 0.2))
        table.append(batch)
        #expect(table.weights?[5] == 1 && table.ids == nil)
        #expect(table.attributes.value(of: "n", row: 5) == nil)
    }

    @Test func `some rows of a table make a batch that is like them`() {
        var table = PointTable()
        let key = table.attributes.keys.intern("n")
        var batch = PointBatch()
        for number in 0..<10 {
            batch.records.append(key, integer: Int64(number))
            batch.append(
                WorldPoint(x: Double(number) / 10, y: 0.5), weight: Double(number),
                id: UInt64(number * 7))
        }
        table.append(batch)
        let rows: [UInt32] = [9, 0, 4]
        var other = PointTable(keys: table.attributes.keys)
        other.append(rows.span, of: table)
        #expect((0..<3).map { other.xs[$0] } == [0.9, 0, 0.4])
        #expect((0..<3).map { other.weights?[$0] } == [9, 0, 4])
        #expect((0..<3).map { other.ids?[$0] } == [63, 0, 28])
        #expect(
            (0..<3).map { other.attributes.value(of: "n", row: $0) }
                == [9, 0, 4].map { .integer($0) })
        table.truncate(to: 3)
        #expect(table.count == 3 && table.ids?.count == 3 && table.weights?.count == 3)
        table.numberPoints()
        #expect((0..<3).map { table.ids?[$0] } == [0, 1, 2])
        #expect(table.byteCount >= 3 * 32)
    }
}

struct ColumnMemoryTests {
    #if DEBUG
        static let counts = [1 << 10, 1 << 19]
    #else
        static let counts = [1 << 10, 1 << 19, 3 << 20]
    #endif

    @Test(arguments: counts)
    func `what a column holds stays when its block grows and moves`(count: Int) {
        var column = Column<UInt64>()
        for value in 0..<count { column.append(UInt64(value)) }
        let copy = column
        for value in 0..<count { column.append(UInt64(value)) }
        column[0] = 7
        let (span, old) = (column.span, copy.span)
        #expect(span.count == 2 * count && old.count == count && old[0] == 0 && span[0] == 7)
        let stays = (1..<count).allSatisfy { (index: Int) -> Bool in
            let value = UInt64(index)
            return old[index] == value && span[index] == value && span[count + index] == value
        }
        #expect(stays)
    }

    @Test func `a column is cut and goes on`() {
        var column = Column(repeating: 5, count: 10)
        let copy = column
        column.truncate(to: 3)
        column.append(6)
        #expect((0..<column.count).map { column[$0] } == [5, 5, 5, 6])
        #expect(copy.count == 10 && copy[3] == 5)
        column.truncate(to: 0)
        #expect(column.isEmpty && !copy.isEmpty)
        column = copy
        var span = column.mutableSpan
        span[2] = 1
        #expect(column[2] == 1 && copy[2] == 5)
    }

    @Test func `texts that are copied in words get the length that they have`() {
        for length in [0, 1, 7, 127, 128, 300] {
            var records = RecordBuilder()
            var writer = records.lendWriter(room: 400)
            let hasBegun = writer.beginText(AttributeKey(number: 1))
            #expect(hasBegun)
            for offset in stride(from: 0, to: length, by: 8) {
                #expect(writer.store(0x6162_6364_6566_6768, at: offset))
            }
            let hasEnded = writer.endText(count: length)
            #expect(hasEnded)
            records.take(writer)
            let bytes = records.bytes
            let value = AttributeRecord(bytes.span).value(of: AttributeKey(number: 1))
            let wanted = String(repeating: "hgfedcba", count: 40).prefix(length)
            #expect(value?.unpacked == .text(String(wanted)))
        }
    }

    @Test func `a writer without room says so`() {
        var records = RecordBuilder()
        var writer = records.lendWriter(room: 15)
        var answers = [writer.beginText(AttributeKey(number: 1))]
        #expect(answers == [false] && writer.count == 0)
        writer = records.lendWriter(room: 16)
        #expect(writer.room == 16)
        answers = [writer.beginText(AttributeKey(number: 1))]
        #expect(answers == [true] && writer.room == 14)
        #expect(writer.store(0, at: 5) && !writer.store(0, at: 6) && !writer.store(0, at: -1))
        answers = [writer.endText(count: 5), writer.endText(count: -1), writer.endText(count: 4)]
        #expect(answers == [false, false, true] && writer.count == 7)
    }
}
