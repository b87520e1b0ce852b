import Clustering
import Geometry
import Points

/// The quality of maps: how many markers, how many overlap, how far points are from theirs.
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
        var markers: [WorldPoint] = []
        var total = 0.0
        for leaf in 0..<tree.leafCount where Int(tree.leafParentZooms[leaf]) < zoom {
            markers.append(points.position(of: Int(tree.leafRows[leaf])))
        }
        for cluster in 0..<tree.clusterCount
        where (Int(tree.parentZooms[cluster]) + 1...Int(tree.zooms[cluster])).contains(zoom) {
            let marker = WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster])
            markers.append(marker)
            for leaf in tree.leafRange(of: cluster) {
                total += distance(marker, points.position(of: Int(tree.leafRows[leaf])))
            }
        }
        let pixels = 512 * Double(1 << zoom)
        let pairs = overlaps(markers, within: options.radius.distance(atZoom: zoom))
        session.figure("\(name), nodes", Double(markers.count), "nodes")
        session.figure("\(name), pairs within the radius", Double(pairs), "pairs")
        session.figure(
            "\(name), points from their marker", total * pixels / Double(points.count), "px")
    }

    private static func distance(_ a: WorldPoint, _ b: WorldPoint) -> Double {
        let dx = abs(a.x - b.x)
        let dy = a.y - b.y
        return (min(dx, 1 - dx) * min(dx, 1 - dx) + dy * dy).squareRoot()
    }

    /// The number of pairs of positions that are near each other, found from west to east.
    private static func overlaps(_ positions: [WorldPoint], within radius: Double) -> Int {
        let bands = Dictionary(grouping: positions) { Int($0.y / radius) }
            .mapValues { $0.sorted { $0.x < $1.x } }
        var pairs = 0
        for (band, own) in bands {
            pairs += near(own, own, radius, isSame: true)
            if let lower = bands[band + 1] { pairs += near(own, lower, radius, isSame: false) }
        }
        return pairs
    }

    private static func near(
        _ first: [WorldPoint], _ second: [WorldPoint], _ radius: Double, isSame: Bool
    ) -> Int {
        var pairs = 0
        var start = 0
        for (index, position) in first.enumerated() {
            while start < second.count, second[start].x < position.x - radius { start += 1 }
            var other = isSame ? index + 1 : start
            while other < second.count, second[other].x <= position.x + radius {
                if distance(position, second[other]) <= radius { pairs += 1 }
                other += 1
            }
        }
        return pairs
    }
}
