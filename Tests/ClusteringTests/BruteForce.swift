import Clustering
import Geometry
import Points

/// Clustering as the definitions say it, in O(n²), to compare the engine with.
struct BruteForce {
    struct Node {
        var x: Double
        var y: Double
        var weight: Double
        /// The points' numbers; the first is the one it grew from.
        var points: [Int]
        /// The place that a grid looks at.
        var origin: WorldPoint
    }

    let points: [Samples.Point]
    let options: ClusterOptions
    /// Nodes in visiting order.
    private(set) var nodes: [Node] = []
    /// The nodes of each zoom.
    private(set) var levels: [Int: [Node]] = [:]

    /// - Parameter order: the points in rank order.
    init(_ points: [Samples.Point], order: [Int], options: ClusterOptions) {
        self.points = points
        self.options = options
        nodes = order.map { index in
            let place = points[index].place
            return Node(
                x: place.x, y: place.y, weight: options.weighted ? points[index].weight : 1,
                points: [index], origin: place)
        }
        if options.keepCoincident { joinTwins() }
        for zoom in (options.minZoom...options.maxZoom).reversed() {
            while pass(zoom), options.algorithm == .spaced {}
            levels[zoom] = nodes
        }
    }

    private func places(_ node: Node) -> Set<WorldPoint> {
        Set(node.points.map { points[$0].place })
    }

    private mutating func joinTwins() {
        var joined: [Node] = []
        for node in nodes {
            let twin = joined.firstIndex { $0.origin == node.origin }
            guard let twin else {
                joined.append(node)
                continue
            }
            joined[twin].points += node.points
            joined[twin].weight += node.weight
        }
        nodes = joined
    }

    private func isNear(_ a: Node, _ b: Node, _ radius: Double) -> Bool {
        if options.algorithm == .grid {
            return (a.origin.x / radius).rounded(.down) == (b.origin.x / radius).rounded(.down)
                && (a.origin.y / radius).rounded(.down) == (b.origin.y / radius).rounded(.down)
        }
        var dx = abs(a.x - b.x)
        if options.wrap, dx > 0.5 { dx = 1 - dx }
        let dy = a.y - b.y
        return dx * dx + dy * dy <= radius * radius
    }

    private mutating func pass(_ zoom: Int) -> Bool {
        let radius = options.radius.distance(atZoom: zoom)
        var isClaimed = Array(repeating: false, count: nodes.count)
        var next: [Node] = []
        var merged = false
        // Refused nodes and where they belong in the next order.
        var waiting: [(index: Int, place: Int)] = []
        for index in nodes.indices where !isClaimed[index] {
            isClaimed[index] = true
            let group = nodes.indices.filter {
                !isClaimed[$0] && isNear(nodes[index], nodes[$0], radius)
            }
            let all = [nodes[index]] + group.map { nodes[$0] }
            let isCluster =
                !group.isEmpty && all.reduce(0) { $0 + $1.points.count } >= options.minPoints
                && all.reduce(into: Set()) { $0.formUnion(places($1)) }.count
                    >= options.minUniqueLocations
            if isCluster {
                merged = true
                next.append(join(all))
                for other in group { isClaimed[other] = true }
            } else if options.algorithm == .spaced {
                // A refused node stays available to those that are visited after it.
                isClaimed[index] = false
                waiting.append((index, next.count))
            } else {
                next += all
                for other in group { isClaimed[other] = true }
            }
        }
        for refused in waiting.reversed() where !isClaimed[refused.index] {
            next.insert(nodes[refused.index], at: refused.place)
        }
        nodes = next
        return merged
    }

    private func join(_ group: [Node]) -> Node {
        let points = group.flatMap(\.points)
        let lead = group[0]
        var node = Node(
            x: lead.x, y: lead.y, weight: group.reduce(0) { $0 + $1.weight }, points: points,
            origin: lead.origin)
        guard options.position == .centroid else { return node }
        // Where all weights are zero, the points count.
        let weights = group.map { node.weight == 0 ? Double($0.points.count) : $0.weight }
        let total = weights.reduce(0, +)
        let xs = group.map { other in
            guard options.wrap, abs(other.x - lead.x) > 0.5 else { return other.x }
            return other.x + (other.x < lead.x ? 1 : -1)
        }
        node.x = zip(xs, weights).reduce(0) { $0 + $1.0 * $1.1 } / total
        node.y = zip(group.map(\.y), weights).reduce(0) { $0 + $1.0 * $1.1 } / total
        if options.wrap { node.x -= node.x.rounded(.down) }
        return node
    }
}
