import Geometry
import Points
import TestSupport
import Testing

/// Points in blocks come back, and blocks that are damaged are known by what they say of themselves.
struct StoredPointsTests {
    private static func written(_ body: (inout BlockSink) -> Void) -> [UInt8] {
        var sink = BlockSink()
        body(&sink)
        return sink.bytes
    }

    private static func table(_ count: Int, kind: Int, _ random: inout SeededRandom) -> PointTable {
        var table = PointTable()
        let keys = ["a", "b", "c"].map { table.attributes.keys.intern($0) }
        var batch = PointBatch()
        for _ in 0..<count {
            for key in keys where random.next() % 2 == 0 {
                switch random.next() % 5 {
                case 0: batch.records.append(key, text: "x\(random.next() % 9)")
                case 1: batch.records.append(key, number: random.unit())
                case 2: batch.records.append(key, integer: -Int64(random.next() % 9_999))
                case 3: batch.records.append(key, bool: random.next() % 2 == 0)
                default: batch.records.append(key, number: 0.5)
                }
            }
            batch.append(
                WorldPoint(x: random.unit(), y: random.unit()),
                weight: kind & 1 == 0 ? 1 : random.unit(),
                id: kind & 2 == 0 ? PointTable.noID : random.next() % 99)
        }
        table.append(batch)
        return table
    }

    private struct Row: Equatable {
        var place: WorldPoint
        var weight: Double?
        var id: UInt64?
        var values: [AttributeValue?]
    }

    private static func rows(_ table: PointTable) -> [Row] {
        (0..<table.count).map { row in
            Row(
                place: table.position(of: row), weight: table.weights?[row], id: table.ids?[row],
                values: ["a", "b", "c"].map { table.attributes.value(of: $0, row: row) })
        }
    }

    @Test(arguments: 0..<4)
    func `points of any range come back, under whatever numbers their names have`(kind: Int) throws
    {
        var random = SeededRandom(seed: UInt64(kind) + 7)
        let table = Self.table(60, kind: kind, &random)
        for range in [0..<60, 0..<0, 17..<18, 20..<60] {
            let bytes = Self.written { $0.write(table, rows: range) }
            let (same, other) = (AttributeKeys(), AttributeKeys())
            for name in ["c", "x", "a"] { _ = other.intern(name) }
            for keys in [
                StoredKeys(["a", "b", "c"], in: same), StoredKeys(["a", "b", "c"], in: other),
                StoredKeys(table.attributes.keys.names, in: table.attributes.keys),
            ] {
                var source = BlockSource(bytes)
                #expect(try Self.rows(source.points(keys)) == Array(Self.rows(table)[range]))
                #expect(throws: BlockSource.Damaged.self) { try source.byte() }
            }
        }
    }

    @Test func `records past four mebibytes come back from several portions`() throws {
        var table = PointTable()
        let key = table.attributes.keys.intern("a")
        var batch = PointBatch()
        let lengths = [3 << 20, 1 << 20, 5, 4 << 20, 7, 0]
        for length in lengths {
            batch.records.append(key, text: String(repeating: "x", count: length))
            batch.append(WorldPoint(x: 0.5, y: 0.5))
        }
        table.append(batch)
        let bytes = Self.written { $0.write(table.attributes) }
        var source = BlockSource(bytes)
        // The first three are more than 4 MiB, the fourth is alone, and the rest is a third.
        #expect(try source.int() == 3)
        source = BlockSource(bytes)
        let read = try source.attributes(StoredKeys(["a"], in: AttributeKeys()))
        let found = (0..<read.count).map { row -> Int? in
            guard case .text(let text)? = read.value(of: "a", row: row) else { return nil }
            return text.utf8.count
        }
        #expect(found == lengths)
    }

    @Test func `records that no one packs so are damage`() {
        func isDamaged(_ records: [UInt8], _ ends: [UInt32], names: Int = 2) -> Bool {
            let bytes = Self.written {
                $0.write(1)
                $0.write(Column(ends))
                $0.write(records)
            }
            var source = BlockSource(bytes)
            let keys = StoredKeys((0..<names).map { "\($0)" }, in: AttributeKeys())
            do { _ = try source.attributes(keys) } catch { return true }
            return false
        }
        // A truth value, a text, a fraction of four bytes and one of eight, whole numbers.
        let values: [[UInt8]] = [
            [0x38, 1], [0x0A, 2, 0x61, 0x62], [0x15, 0, 0, 0, 0x3F],
            [0x19, 0, 0, 0, 0, 0, 0, 0, 0x3F], [0x28, 0xAC, 2], [0x30, 3],
        ]
        for value in values {
            let record = [1] + value
            let end = UInt32(record.count)
            #expect(!isDamaged(record, [end]) && !isDamaged(record, [0, end]))
            #expect(!isDamaged(record + record, [end, 2 * end]))
            // A record ends within a value, bytes belong to no record, or a key has no name.
            for short in 1..<end { #expect(isDamaged(record, [short, end]), "\(record) \(short)") }
            #expect(isDamaged(record, [end + 1]) && isDamaged(record + [0], [end]))
            #expect(isDamaged(record + record, [2 * end, end]))
            #expect(isDamaged([2] + value, [end]) && isDamaged(record, [end], names: 1))
        }
        #expect(isDamaged([0, 0x0B, 0], [3]) && isDamaged([0], [1]))
        #expect(isDamaged([], [1]) && !isDamaged([], [0]))
    }

    @Test func `columns of different lengths are no points`() {
        for (xs, ys, weights, ids, records, isDamage) in [
            (2, 2, 0, 0, 2, false), (2, 2, 2, 2, 2, false), (2, 1, 0, 0, 2, true),
            (2, 2, 1, 0, 2, true), (2, 2, 0, 1, 2, true), (2, 2, 0, 0, 1, true),
            (1, 2, 0, 0, 2, true),
        ] {
            let bytes = Self.written { sink in
                sink.write(Column<Double>(repeating: 0.5, count: xs))
                sink.write(Column<Double>(repeating: 0.5, count: ys))
                sink.write(Column<Double>(repeating: 2, count: weights))
                sink.write(Column<UInt64>(repeating: 3, count: ids))
                sink.write(1)
                sink.write(Column<UInt32>(repeating: 0, count: records))
                sink.write([UInt8]())
            }
            var source = BlockSource(bytes)
            var isFound = false
            do { _ = try source.points(StoredKeys([], in: AttributeKeys())) } catch {
                isFound = true
            }
            #expect(isFound == isDamage)
        }
        var negative = BlockSource(Self.written { $0.write(-1) })
        #expect(throws: BlockSource.Damaged.self) {
            try negative.attributes(StoredKeys([], in: AttributeKeys()))
        }
    }
}
