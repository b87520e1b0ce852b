import Geometry
import ParallelColumns
import Points

/// Which real point stands for a cluster that is not drawn at its mean or its origin.
enum RepresentativeChoice: Sendable {
    case nearestToMean(wraps: Bool)
    /// The point with the largest of these numbers, one for each point; NaN stands for none.
    case largest(SharedColumn<Double>)

    /// The choice that a position asks for, if any.
    init?(_ position: ClusterOptions.Position, of input: ClusterInput, workers: Workers) {
        switch position {
        case .centroid, .anchor: return nil
        case .nearest: self = .nearestToMean(wraps: input.options.wrap)
        case .max(let name):
            self = .largest(Self.numbers(name, of: input, sign: 1, workers: workers))
        case .min(let name):
            self = .largest(Self.numbers(name, of: input, sign: -1, workers: workers))
        }
    }

    private static func numbers(
        _ name: String, of input: ClusterInput, sign: Double, workers: Workers
    ) -> SharedColumn<Double> {
        let numbers = SharedColumn<Double>(repeating: .nan, count: input.count, in: input.arena)
        guard let key = input.table.attributes.keys.key(named: name) else { return numbers }
        workers.forEachRange(of: input.count) { range in
            for point in range {
                let row = input.row(UInt32(truncatingIfNeeded: point))
                let number = input.table.attributes[row].value(of: key)?.number
                numbers[point] = sign * (number ?? .nan)
            }
        }
        return numbers
    }

    /// A point that stands for a cluster, and where it lies.
    typealias Chosen = (point: UInt32, place: WorldPoint)

    /// The best point under the nodes; at a tie the one that comes first in rank order.
    func best(
        of nodes: [NodeReference], in hierarchy: Hierarchy, _ input: ClusterInput
    ) -> Chosen {
        switch self {
        case .largest(let numbers):
            let point = largest(of: nodes, numbers, hierarchy)
            return (point, input.place(of: point))
        case .nearestToMean(let wraps):
            return nearestToMean(of: nodes, wraps, hierarchy, input)
        }
    }

    private func largest(
        of nodes: [NodeReference], _ numbers: SharedColumn<Double>, _ hierarchy: Hierarchy
    ) -> UInt32 {
        var best: UInt32?
        for node in nodes {
            let candidates =
                node.isCluster
                ? [hierarchy.representative[node.number]]
                : hierarchy.sites.range(of: node.number).map { hierarchy.sites.points[$0] }
            for point in candidates {
                guard let rival = best else {
                    best = point
                    continue
                }
                let isBetter = numbers[point] > numbers[rival]
                if isBetter || numbers[rival].isNaN && !numbers[point].isNaN { best = point }
            }
        }
        return best ?? 0
    }

    /// - Complexity: O(points of the cluster).
    private func nearestToMean(
        of nodes: [NodeReference], _ wraps: Bool, _ hierarchy: Hierarchy, _ input: ClusterInput
    ) -> Chosen {
        // Nothing is kept for each point: near the root, a cluster has most of them.
        let points = hierarchy.points(under: nodes)
        let origin = input.x[points[0]]
        func weight(_ point: UInt32) -> Double { input.options.weighted ? input.weight(point) : 1 }
        // On a world that wraps, all are taken on the side that is nearer to the first.
        func place(_ point: UInt32) -> WorldPoint {
            var x = input.x[point]
            if wraps, abs(x - origin) > 0.5 { x += x < origin ? 1 : -1 }
            return WorldPoint(x: x, y: input.y[point])
        }
        let total = points.reduce(0.0) { $0 + weight($1) }
        var mean = WorldPoint(x: 0, y: 0)
        for point in points {
            let (at, weight) = (place(point), weight(point))
            let share = total > 0 ? weight / total : 1 / Double(points.count)
            mean.x += at.x * share
            mean.y += at.y * share
        }
        var (nearest, least) = (points[0], Double.infinity)
        for point in points {
            let distance = place(point).squaredDistance(to: mean)
            if distance < least { (nearest, least) = (point, distance) }
        }
        return (nearest, WorldPoint(x: input.x[nearest], y: input.y[nearest]))
    }
}

extension Hierarchy {
    /// All points under some nodes, depth first.
    func points(under nodes: [NodeReference]) -> [UInt32] {
        var points: [UInt32] = []
        var stack = Array(nodes.reversed())
        while let node = stack.popLast() {
            if node.isCluster {
                for child in childRange(of: node.number).reversed() {
                    stack.append(children[child])
                }
            } else {
                for index in sites.range(of: node.number) { points.append(sites.points[index]) }
            }
        }
        return points
    }
}
