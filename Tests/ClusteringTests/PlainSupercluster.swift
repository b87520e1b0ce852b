import Clustering
import Geometry
import Points

/// Supercluster as it is described, in double precision, for so few points that its index is one leaf:
/// then a search finds items in the order in which they were put in.
struct PlainSupercluster {
    /// A point, or a cluster of some.
    struct Item {
        var x: Double
        var y: Double
        var points: [Int]
    }

    /// So many items are searched one after another.
    static let mostPoints = 65

    /// The items of each zoom.
    private(set) var levels: [Int: [Item]] = [:]

    init(_ points: [Samples.Point], radius: Double, maxZoom: Int, minPoints: Int) {
        precondition(points.count <= Self.mostPoints)
        var items = points.enumerated().map { number, point in
            Item(x: point.position.x, y: point.position.y, points: [number])
        }
        var scale = Double(512 << maxZoom)
        for zoom in stride(from: maxZoom, through: 0, by: -1) {
            items = Self.clustered(items, radius: radius / scale, minPoints)
            levels[zoom] = items
            scale /= 2
        }
    }

    private static func clustered(
        _ items: [Item], radius: Double, _ minPoints: Int
    ) -> [Item] {
        var next: [Item] = []
        var isDone = items.map { _ in false }
        for (index, item) in items.enumerated() where !isDone[index] {
            isDone[index] = true
            let found = items.indices.filter { other in
                let (dx, dy) = (items[other].x - item.x, items[other].y - item.y)
                return !isDone[other] && dx * dx + dy * dy <= radius * radius
            }
            for other in found { isDone[other] = true }
            let group = [item] + found.map { items[$0] }
            let count = group.reduce(0) { $0 + $1.points.count }
            guard count > item.points.count, count >= minPoints else {
                next += group
                continue
            }
            var (x, y) = (0.0, 0.0)
            for member in group {
                x += member.x * Double(member.points.count)
                y += member.y * Double(member.points.count)
            }
            next.append(
                Item(x: x / Double(count), y: y / Double(count), points: group.flatMap(\.points)))
        }
        return next
    }
}
