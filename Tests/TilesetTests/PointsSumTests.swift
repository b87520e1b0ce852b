import Geometry
import Points
import TestSupport
import Testing

@testable import Tileset

/// A sum over points: the same for the same points, and another for others.
struct PointsSumTests {
    private struct Point {
        var x = 0.25
        var y = 0.5
        var weight = 1.0
        var id = PointTable.noID
        var attributes: [(String, AttributeValue)] = []
    }

    private static func table(_ points: [Point], knowing names: [String] = []) -> PointTable {
        var table = PointTable()
        for name in names { _ = table.attributes.keys.intern(name) }
        var batch = PointBatch()
        for point in points {
            for (name, value) in point.attributes {
                batch.records.append(table.attributes.keys.intern(name), value)
            }
            batch.append(WorldPoint(x: point.x, y: point.y), weight: point.weight, id: point.id)
        }
        table.append(batch)
        return table
    }

    private static func text(
        _ points: [Point], isOrdered: Bool = false, cutAt cut: Int = 0, layer: Int = 0,
        knowing names: [String] = []
    ) -> String {
        var sum = PointsSum(isOrdered: isOrdered)
        for part in [points[..<cut], points[cut...]] {
            sum.include(table(Array(part), knowing: names), of: layer)
        }
        return sum.text
    }

    private static func points(using random: inout SeededRandom) -> [Point] {
        (0..<8).map { number in
            Point(
                x: random.unit(), y: random.unit(), weight: Double(1 + random.next() % 3),
                id: UInt64(number),
                attributes: [("a", .integer(Int64(number))), ("b", .text("t\(number % 3)"))])
        }
    }

    @Test
    func `neither the cut nor the numbers of names count, nor the order unless it is asked for`() {
        var random = SeededRandom(seed: 870)
        let points = Self.points(using: &random)
        for isOrdered in [false, true] {
            let text = Self.text(points, isOrdered: isOrdered)
            #expect(text.count == 16 && text.allSatisfy(\.isHexDigit))
            for cut in 0...points.count {
                #expect(Self.text(points, isOrdered: isOrdered, cutAt: cut) == text)
            }
            #expect(Self.text(points, isOrdered: isOrdered, knowing: ["z", "b"]) == text)
            let turned = Self.text(Array(points[1...]) + [points[0]], isOrdered: isOrdered)
            #expect((turned == text) == !isOrdered)
        }
        #expect(Self.text(points) != Self.text(points, isOrdered: true))
    }

    @Test func `a point that differs in anything makes another sum`() {
        var random = SeededRandom(seed: 880)
        let points = Self.points(using: &random)
        let changes: [(inout Point) -> Void] = [
            { $0.x = $0.x.nextUp }, { $0.y = $0.y.nextDown }, { $0.weight += 1 }, { $0.id += 100 },
            { $0.id = PointTable.noID }, { $0.attributes[0].1 = .integer(99) },
            { $0.attributes[0].0 = "c" }, { $0.attributes.removeLast() },
            { $0.attributes.append(("d", .bool(true))) }, { swap(&$0.x, &$0.y) },
            // Features have them in their order.
            { $0.attributes.reverse() },
        ]
        var seen: Set = [Self.text(points), Self.text(points, layer: 1)]
        #expect(seen.count == 2)
        for change in changes {
            for index in [0, points.count - 1] {
                var others = points
                change(&others[index])
                #expect(seen.insert(Self.text(others)).inserted)
            }
        }
        #expect(seen.insert(Self.text(Array(points.dropLast()))).inserted)
        #expect(seen.insert(Self.text(points + [points[0]])).inserted)
        #expect(seen.insert(Self.text([])).inserted)
    }

    @Test func `sums over some points and over others add up`() {
        var random = SeededRandom(seed: 890)
        let points = Self.points(using: &random)
        func value(_ points: ArraySlice<Point>) -> UInt64 {
            var sum = PointsSum(knowing: Self.table(Array(points)).attributes.keys)
            sum.include(Self.table(Array(points)), of: 0)
            return sum.value
        }
        for cut in 0...points.count {
            #expect(value(points[..<cut]) &+ value(points[cut...]) == value(points[...]))
        }
    }
}
