import Clustering
import Geometry
import Points
import TestSupport

/// Points that tests cluster.
enum Samples {
    struct Point: Equatable {
        var position: WorldPoint
        var weight = 1.0
        var id = PointTable.noID
        var attributes: [(String, AttributeValue)] = []

        func has(_ name: String) -> Bool { value(of: name) != nil }

        func value(of name: String) -> AttributeValue? { attributes.first { $0.0 == name }?.1 }

        static func == (first: Point, second: Point) -> Bool {
            first.position == second.position && first.weight == second.weight
                && first.id == second.id
                && first.attributes.elementsEqual(second.attributes, by: ==)
        }
    }

    static func table(_ points: [Point]) -> PointTable {
        var table = PointTable()
        var batch = PointBatch()
        for point in points {
            for (name, value) in point.attributes {
                batch.records.append(table.attributes.keys.intern(name), value)
            }
            batch.append(point.position, weight: point.weight, id: point.id)
        }
        table.append(batch)
        return table
    }

    /// A few points in clumps, some at one site, with neighbours across the antimeridian and at the
    /// poles.
    static func random(_ count: Int, using random: inout SeededRandom) -> [Point] {
        let spread = [1, 0.3, 0.03, 0.001][Int.random(in: 0..<4, using: &random)]
        let center = [0.0, 0.5, 0.999][Int.random(in: 0..<3, using: &random)]
        let middle = [0.0, 0.5, 1][Int.random(in: 0..<3, using: &random)]
        let kinds: [AttributeValue] = [.text("cafe"), .text("park"), .integer(7)]
        var points: [Point] = []
        for _ in 0..<count {
            let x = center + (random.unit() - 0.5) * spread
            let y = middle + (random.unit() - 0.5) * spread
            var point = Point(position: WorldPoint(x: x, y: min(max(y, 0), 1)).wrapped)
            if let twin = points.randomElement(using: &random), random.next() % 5 == 0 {
                point.position = twin.position
            }
            point.weight = Double(random.next() % 4)
            if random.next() % 2 == 0 { point.id = random.next() % 5 }
            if random.next() % 4 != 0 {
                point.attributes.append(("value", .integer(Int64(random.next() % 100))))
            }
            if random.next() % 4 != 0 {
                point.attributes.append(("kind", kinds[Int(random.next() % 3)]))
            }
            points.append(point)
        }
        return points
    }
}
