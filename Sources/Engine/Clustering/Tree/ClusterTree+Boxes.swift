import Geometry
import Points

extension ClusterTree {
    /// The narrowest box around the points of each cluster.
    /// - Complexity: O(n), and O(m log m) more for a cluster of m points that spans more than half the world in
    ///   both directions.
    public func boxes(in points: PointTable) -> [WorldBox] {
        spans(in: points).enumerated().map { cluster, span in
            span.narrowestBox ?? WorldBox(wrapping: positions(of: cluster, in: points))
        }
    }

    /// How far the points of each cluster reach.
    /// - Complexity: O(n).
    public func spans(in points: PointTable) -> [BoxSpan] {
        var spans = Array(repeating: BoxSpan.empty, count: clusterCount)
        for leaf in 0..<leafCount where leafParents[leaf] != Self.noParent {
            let position = points.position(of: Int(leafRows[leaf])).wrapped
            spans[Int(leafParents[leaf])].include(position)
        }
        // A parent comes before its children.
        for cluster in (0..<clusterCount).reversed() where parents[cluster] != Self.noParent {
            spans[Int(parents[cluster])].include(spans[cluster])
        }
        return spans
    }

    /// Whether all points of a cluster share one site.
    /// - Complexity: O(m) for the m leaves that share the position of the first.
    public func isOneSite(_ cluster: Int, in points: PointTable) -> Bool {
        let all = leafRange(of: cluster)
        let first = points.position(of: Int(leafRows[all.lowerBound])).wrapped
        return all.allSatisfy { points.position(of: Int(leafRows[$0])).wrapped == first }
    }

    private func positions(of cluster: Int, in points: PointTable) -> [WorldPoint] {
        leafRange(of: cluster).map { points.position(of: Int(leafRows[$0])).wrapped }
    }
}

/// How far points reach, seen from Greenwich and from the other side of the world.
public struct BoxSpan: Sendable {
    public var box = WorldBox.empty
    /// The same where the western half of the world is laid out beyond the eastern one.
    public var turned = WorldBox.empty

    public static let empty = BoxSpan()

    public init(box: WorldBox = .empty, turned: WorldBox = .empty) {
        self.box = box
        self.turned = turned
    }

    /// - Parameter position: with `x` in 0 ..< 1.
    public mutating func include(_ position: WorldPoint) {
        box.include(position)
        turned.include(
            WorldPoint(x: position.x < 0.5 ? position.x + 1 : position.x, y: position.y))
    }

    public mutating func include(_ other: BoxSpan) {
        box.include(other.box)
        turned.include(other.turned)
    }

    /// The narrower box, if it leaves out half of the world and so the widest gap; nil if neither does.
    public var narrowestBox: WorldBox? {
        if box.maxX - box.minX <= 0.5 { return box }
        return turned.maxX - turned.minX < 0.5 ? turned : nil
    }
}
