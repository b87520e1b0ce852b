import Clustering
import Geometry
import Points

/// What maps look like: how many markers, how many overlap, how far points are from theirs.
enum ClusteringQuality {
    static func run(_ points: PointTable, _ session: BenchSession) throws {
        for algorithm in ClusterOptions.Algorithm.allCases {
            let options = try ClusteringBench.options(algorithm)
            let tree = try ClusterTree(of: points, options: options)
            for zoom in (options.minZoom...options.maxZoom).reversed() {
                report(tree, zoom, options, points, "\(algorithm), z\(zoom)", session)
            }
        }
    }

    private static func report(
        _ tree: ClusterTree, _ zoom: Int, _ options: ClusterOptions, _ points: PointTable,
        _ name: String, _ session: BenchSession
    ) {
        let nodes = tree.nodes(at: zoom)
        var markers: [WorldPoint] = []
        var total = 0.0
        for node in nodes {
            guard case .cluster(let cluster) = node else {
                if case .leaf(let leaf) = node {
                    markers.append(points.position(of: Int(tree.leafRows[leaf])))
                }
                continue
            }
            let marker = WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster])
            markers.append(marker)
            for leaf in tree.leafRange(of: cluster) {
                total += distance(marker, points.position(of: Int(tree.leafRows[leaf])))
            }
        }
        let pixels = 512 * Double(1 << zoom)
        let pairs = overlaps(markers, within: options.radius.distance(atZoom: zoom))
        session.figure("\(name), nodes", Double(nodes.count), "nodes")
        session.figure("\(name), pairs within the radius", Double(pairs), "pairs")
        session.figure(
            "\(name), points from their marker", total * pixels / Double(points.count), "px")
    }

    private static func distance(_ a: WorldPoint, _ b: WorldPoint) -> Double {
        let dx = abs(a.x - b.x)
        let dy = a.y - b.y
        return (min(dx, 1 - dx) * min(dx, 1 - dx) + dy * dy).squareRoot()
    }

    /// How many pairs of places are near each other, by a walk from west to east.
    private static func overlaps(_ places: [WorldPoint], within radius: Double) -> Int {
        let rows = Dictionary(grouping: places) { Int($0.y / radius) }
            .mapValues { $0.sorted { $0.x < $1.x } }
        var pairs = 0
        for (row, own) in rows {
            pairs += near(own, own, radius, isSame: true)
            if let lower = rows[row + 1] { pairs += near(own, lower, radius, isSame: false) }
        }
        return pairs
    }

    private static func near(
        _ first: [WorldPoint], _ second: [WorldPoint], _ radius: Double, isSame: Bool
    ) -> Int {
        var pairs = 0
        var start = 0
        for (index, place) in first.enumerated() {
            while start < second.count, second[start].x < place.x - radius { start += 1 }
            var other = isSame ? index + 1 : start
            while other < second.count, second[other].x <= place.x + radius {
                if distance(place, second[other]) <= radius { pairs += 1 }
                other += 1
            }
        }
        return pairs
    }
}
