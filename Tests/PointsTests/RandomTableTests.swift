import Geometry
import Points
import TestSupport
import Testing

/// Tables and batches after random steps, held against a plain list of points.
struct RandomTableTests {
    private struct Point: Equatable {
        var place: WorldPoint
        var weight = 1.0
        var id = PointTable.noID
        var text = ""
    }

    private static func point(using random: inout SeededRandom, kind: Int) -> Point {
        var point = Point(place: WorldPoint(x: random.unit(), y: random.unit()))
        // Kinds of batches: bare, some weighted, some with ids, both; texts of all lengths.
        if kind & 1 == 1, random.next() % 3 == 0 { point.weight = Double(random.next() % 4) / 2 }
        if kind & 2 == 2, random.next() % 3 == 0 { point.id = random.next() % 50 }
        let length = [0, 0, 1, 30, 9_000][Int(random.next() % 5)]
        point.text = String(repeating: "x", count: length)
        return point
    }

    private static func batch(_ points: [Point], _ key: AttributeKey) -> PointBatch {
        var batch = PointBatch()
        for point in points {
            if !point.text.isEmpty { batch.records.append(key, text: point.text) }
            batch.append(point.place, weight: point.weight, id: point.id)
        }
        return batch
    }

    private static func points(_ table: PointTable) -> [Point] {
        (0..<table.count).map { row in
            var point = Point(place: table.position(of: row))
            if let weights = table.weights { point.weight = weights[row] }
            if let ids = table.ids { point.id = ids[row] }
            if case .text(let text) = table.attributes.value(of: "text", row: row) {
                point.text = text
            }
            return point
        }
    }

    @Test(arguments: 0..<16)
    func `tables that are put together have the points of all, in order`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let keys = AttributeKeys()
        let key = keys.intern("text")
        var whole = PointTable(keys: keys)
        var expected: [Point] = []
        for part in 0..<6 {
            let kind = Int(random.next() % 4)
            let points = (0..<Int(random.next() % 40)).map { _ in
                Self.point(using: &random, kind: kind)
            }
            if part % 2 == 0 {
                let batch = Self.batch(points, key)
                whole.append(batch)
            } else {
                // A table of several pieces.
                var other = PointTable(keys: keys)
                for start in stride(from: 0, to: points.count, by: 7) {
                    let batch = Self.batch(Array(points[start...].prefix(7)), key)
                    other.append(batch)
                }
                whole.append(other)
            }
            expected += points
        }
        #expect(Self.points(whole) == expected)
        #expect((whole.weights != nil) == expected.contains { $0.weight != 1 })
        #expect((whole.ids != nil) == expected.contains { $0.id != PointTable.noID })
        let columns = 2 + (whole.weights == nil ? 0 : 1) + (whole.ids == nil ? 0 : 1)
        #expect(whole.byteCount == 8 * columns * expected.count + whole.attributes.byteCount)
        let some = expected.indices.filter { _ in random.next() % 3 == 0 }
        var chosen = PointTable(keys: keys)
        let rows = some.map { UInt32($0) }
        chosen.append(rows.span, of: whole)
        #expect(Self.points(chosen) == some.map { expected[$0] })
    }

    @Test(arguments: 0..<8)
    func `a batch that is moved and filled again has what is left`(seed: UInt64) {
        var random = SeededRandom(seed: 100 + seed)
        let keys = AttributeKeys()
        let key = keys.intern("text")
        var expected = (0..<30).map { _ in Self.point(using: &random, kind: 3) }
        let count = Int(random.next() % 30)
        expected.removeSubrange(count...)
        var batch = Self.batch(expected, key)
        let start = Int.random(in: 0...count, using: &random)
        batch.mapPositions(from: start) { WorldPoint(x: $0.y / 2, y: $0.x) }
        for index in start..<count {
            let place = expected[index].place
            expected[index].place = WorldPoint(x: place.y / 2, y: place.x)
        }
        // What was packed for a point that is rejected is no other point's.
        batch.records.append(key, text: "rejected")
        batch.discardUnfinished()
        let last = Point(place: WorldPoint(x: 0.25, y: 0.75), weight: 2, id: 7, text: "last")
        batch.records.append(key, text: last.text)
        batch.append(last.place, weight: last.weight, id: last.id)
        expected.append(last)
        #expect(batch.count == expected.count)
        var table = PointTable(keys: keys)
        table.append(batch)
        #expect(Self.points(table) == expected)
        batch.removeAll()
        #expect(batch.count == 0 && batch.unfinishedRecord.isEmpty)
        batch.append(WorldPoint(x: 0.5, y: 0.5))
        var next = PointTable(keys: keys)
        next.append(batch)
        #expect(next.count == 1 && next.weights == nil && next.ids == nil)
        #expect(next.attributes.value(of: "text", row: 0) == nil)
    }
}
