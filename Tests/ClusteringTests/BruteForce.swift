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
        /// The position that a grid looks at.
        var origin: WorldPoint
    }

    let points: [Samples.Point]
    let options: ClusterOptions
    /// Nodes in visiting order.
    private(set) var nodes: [Node] = []
    /// The nodes of each zoom.
    private(set) var levels: [Int: [Node]] = [:]

    /// The nodes of each zoom over all groups.
    /// - Parameter zooms: for each point the zoom from which on it takes part.
    static func levels(
        _ points: [Samples.Point], options: ClusterOptions, entering zooms: [Int]? = nil
    ) -> [Int: [Node]] {
        var rest = points.indices.map { $0 }
        var levels: [Int: [Node]] = [:]
        while let first = rest.first {
            func value(_ index: Int) -> AttributeValue? {
                options.groupBy.flatMap { points[index].value(of: $0) }
            }
            let group = rest.filter { value($0) == value(first) }
            rest.removeAll { value($0) == value(first) }
            let order =
                options.order == .input
                ? group
                : StableRank.order(of: group.map { points[$0] }, weighted: options.weighted)
                    .map { group[$0] }
            let reference = BruteForce(points, order: order, options: options, entering: zooms)
            levels.merge(reference.levels, uniquingKeysWith: +)
        }
        return levels
    }

    /// - Parameter order: the points in rank order.
    init(
        _ points: [Samples.Point], order: [Int], options: ClusterOptions,
        entering zooms: [Int]? = nil
    ) {
        self.points = points
        self.options = options
        nodes = order.map { index in
            let position = points[index].position
            return Node(
                x: position.x, y: position.y, weight: options.weighted ? points[index].weight : 1,
                points: [index], origin: position)
        }
        if options.keepCoincident { joinTwins() }
        var late = zooms == nil ? [] : nodes
        if zooms != nil { nodes = [] }
        for zoom in (options.minZoom...options.maxZoom).reversed() {
            if let zooms { admit(&late, at: zoom, zooms, order) }
            while pass(zoom), options.algorithm == .spaced {}
            levels[zoom] = nodes + late
        }
    }

    /// Lets those take part whose zoom has come: behind all others where refused nodes were put into a new
    /// order, else where they stand in the order of all.
    private mutating func admit(_ late: inout [Node], at zoom: Int, _ zooms: [Int], _ order: [Int])
    {
        nodes += late.filter { zooms[$0.points[0]] >= zoom }
        late.removeAll { zooms[$0.points[0]] >= zoom }
        let refuses = options.minPoints > 2 || options.minUniqueLocations > 2
        if options.algorithm == .greedy, refuses { return }
        let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        nodes.sort { places[$0.points[0], default: 0] < places[$1.points[0], default: 0] }
    }

    private func sites(_ node: Node) -> Set<WorldPoint> {
        Set(node.points.map { points[$0].position })
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
        var waiting: [(index: Int, target: Int)] = []
        var isAlone = isClaimed
        for index in nodes.indices where !isClaimed[index] {
            isClaimed[index] = true
            if isAlone[index] {
                next.append(nodes[index])
                continue
            }
            let group = nodes.indices.filter {
                !isClaimed[$0] && isNear(nodes[index], nodes[$0], radius)
            }
            let all = [nodes[index]] + group.map { nodes[$0] }
            if accepts(all) {
                merged = true
                next.append(join(all))
                for other in group { isClaimed[other] = true }
            } else if options.algorithm == .spaced {
                // A refused node stays available to those that are visited after it.
                isClaimed[index] = false
                waiting.append((index, next.count))
            } else if options.algorithm == .grid {
                // The others of the cell have no other neighbour, and each keeps its rank.
                next.append(nodes[index])
                for other in group { isAlone[other] = true }
            } else {
                next += all
                for other in group { isClaimed[other] = true }
            }
        }
        insert(waiting.filter { !isClaimed[$0.index] }, into: &next)
        nodes = next
        return merged
    }

    private func insert(_ refused: [(index: Int, target: Int)], into next: inout [Node]) {
        for (index, target) in refused.reversed() { next.insert(nodes[index], at: target) }
    }

    private func accepts(_ group: [Node]) -> Bool {
        group.count > 1 && group.reduce(0) { $0 + $1.points.count } >= options.minPoints
            && (options.minUniqueLocations == 1
                || group.reduce(into: Set()) { $0.formUnion(sites($1)) }.count
                    >= options.minUniqueLocations)
    }

    private func join(_ group: [Node]) -> Node {
        let points = group.flatMap(\.points)
        let seed = group[0]
        var node = Node(
            x: seed.x, y: seed.y, weight: group.reduce(0) { $0 + $1.weight }, points: points,
            origin: seed.origin)
        guard options.position == .centroid else {
            let position = representative(of: siteBySite(points)).position
            node.x = position.x
            node.y = position.y
            return node
        }
        // Where all weights are zero, the points count.
        let weights = group.map { node.weight == 0 ? Double($0.points.count) : $0.weight }
        let total = weights.reduce(0, +)
        let xs = group.map { other in
            guard options.wrap, abs(other.x - seed.x) > 0.5 else { return other.x }
            return other.x + (other.x < seed.x ? 1 : -1)
        }
        node.x = zip(xs, weights).reduce(0) { $0 + $1.0 * $1.1 } / total
        node.y = zip(group.map(\.y), weights).reduce(0) { $0 + $1.0 * $1.1 } / total
        if options.wrap { node.x -= node.x.rounded(.down) }
        return node
    }

    /// The point at whose position a cluster is drawn that is not drawn at its mean.
    private func representative(of members: [Int]) -> Samples.Point {
        switch options.position {
        case .centroid, .anchor: points[members[0]]
        case .nearest: nearest(of: members)
        case .max(let name): greatest(of: members, by: name, sign: 1)
        case .min(let name): greatest(of: members, by: name, sign: -1)
        }
    }

    /// The points in the order of leaves: those at one site next to each other.
    private func siteBySite(_ members: [Int]) -> [Int] {
        var seen: [WorldPoint: [Int]] = [:]
        for index in members { seen[points[index].position, default: []].append(index) }
        return members.flatMap { seen.removeValue(forKey: points[$0].position) ?? [] }
    }

    /// The first of those with the greatest number; the first of all where none has one.
    private func greatest(of members: [Int], by name: String, sign: Double) -> Samples.Point {
        func number(_ index: Int) -> Double? {
            points[index].value(of: name)?.asNumber.map { $0 * sign }
        }
        let best = members.compactMap(number).max()
        return points[members.first { number($0) == best } ?? members[0]]
    }

    /// The first of those nearest to the weighted mean. Of two points both are equally near but for
    /// rounding, so the sums are added up as the engine does it.
    private func nearest(of members: [Int]) -> Samples.Point {
        let origin = points[members[0]].position.x
        let positions = members.map { index in
            var position = points[index].position
            if options.wrap, abs(position.x - origin) > 0.5 {
                position.x += position.x < origin ? 1 : -1
            }
            return position
        }
        let weights = members.map { options.weighted ? points[$0].weight : 1 }
        let total = weights.reduce(0, +)
        var mean = WorldPoint(x: 0, y: 0)
        for (position, weight) in zip(positions, weights) {
            let share = total > 0 ? weight / total : 1 / Double(members.count)
            mean.x += position.x * share
            mean.y += position.y * share
        }
        let distances = positions.map { $0.squaredDistance(to: mean) }
        return points[members[distances.firstIndex(of: distances.min() ?? 0) ?? 0]]
    }
}
