import Geometry
import Points
import Testing

/// One of points that are the same is kept, the same one in whatever order they come.
struct DuplicateTests {
    private struct Row: Hashable {
        var x: Double
        var id: UInt64?
        var attributes: [String: String]
    }

    private static func table(_ rows: [Row]) -> PointTable {
        let keys = AttributeKeys()
        var table = PointTable(keys: keys)
        var batch = PointBatch()
        for row in rows {
            for (name, value) in row.attributes.sorted(by: { $0.key < $1.key }) {
                batch.records.append(keys.intern(name), .text(value))
            }
            batch.append(WorldPoint(x: row.x, y: 0.5), id: row.id ?? PointTable.noID)
        }
        table.append(batch)
        return table
    }

    private static func rows(_ table: PointTable) -> [Row] {
        (0..<table.count).map { row in
            var attributes: [String: String] = [:]
            for name in table.attributes.keys.names {
                if case .text(let text)? = table.attributes.value(of: name, row: row) {
                    attributes[name] = text
                }
            }
            let id = table.ids?[row]
            return Row(
                x: table.xs[row], id: id == PointTable.noID ? nil : id, attributes: attributes)
        }
    }

    private static let sample = [
        Row(x: 0.25, id: 4, attributes: ["k": "a", "n": "1"]),
        Row(x: 0.25, id: 3, attributes: ["k": "b"]), Row(x: 0.25, id: nil, attributes: ["k": "a"]),
        Row(x: 0.5, id: nil, attributes: ["k": "a", "n": "2"]),
        Row(x: 0.5, id: nil, attributes: ["n": "3"]),
        Row(x: 0.75, id: nil, attributes: [:]), Row(x: 0.75, id: nil, attributes: [:]),
    ]

    @Test func `letters that look alike are two values, and either order of them keeps the same`() {
        let texts = ["caf\u{E9}", "cafe\u{301}"]
        #expect(Set(texts.map(AttributeValue.text)).count == 2)
        for order in [texts, texts.reversed()] {
            let rows = order.map { Row(x: 0.5, id: nil, attributes: ["k": $0]) }
            var byValue = Self.table(rows)
            #expect(byValue.removeDuplicates(by: .attribute("k")) == 0)
            var byPlace = Self.table(rows)
            #expect(byPlace.removeDuplicates(by: .place) == 1)
            #expect(byPlace.attributes.value(of: "k", row: 0) == .text(texts[1]))
        }
    }

    @Test func `one of each place or value is kept, in any order of the rows`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let rows = Self.sample.shuffled(using: &generator)
            var byPlace = Self.table(rows)
            #expect(byPlace.removeDuplicates(by: .place) == 4)
            #expect(Set(Self.rows(byPlace)) == [Self.sample[1], Self.sample[3], Self.sample[5]])
            // What stays keeps its order.
            #expect(
                Self.rows(byPlace)
                    == rows.filter { Self.rows(byPlace).contains($0) }.reduce(into: []) {
                        if !$0.contains($1) { $0.append($1) }
                    })
            var byValue = Self.table(rows)
            #expect(byValue.removeDuplicates(by: .attribute("k")) == 2)
            #expect(
                Set(Self.rows(byValue)) == [
                    Self.sample[0], Self.sample[1], Self.sample[4], Self.sample[5],
                ])
            #expect(byValue.count == 5)
            #expect(byValue.removeDuplicates(by: .attribute("none")) == 0)
        }
    }

    @Test func `the heaviest of one place is kept, whichever comes first`() {
        for weights in [[2.0, 7, 3], [7, 3, 2], [3, 2, 7]] {
            var table = PointTable(keys: AttributeKeys())
            var batch = PointBatch()
            for weight in weights { batch.append(WorldPoint(x: 0.5, y: 0.5), weight: weight) }
            table.append(batch)
            #expect(table.removeDuplicates(by: .place) == 2)
            #expect(table.weights?[0] == 7)
        }
    }
}
