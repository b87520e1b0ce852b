import Geometry
import Points

extension ClusterTree {
    /// The box around the points of each cluster: where the world wraps, the narrowest one.
    /// - Complexity: O(n), and O(m log m) more for a cluster of m points that spans more than half the world in
    ///   both directions.
    public func boxes(in points: PointTable, wraps: Bool) -> [WorldBox] {
        spans(in: points, wraps: wraps).enumerated().map { cluster, span in
            span.box(wraps: wraps) ?? WorldBox(wrapping: positions(of: cluster, in: points))
        }
    }

    /// How far the points of each cluster reach.
    /// - Complexity: O(n).
    public func spans(in points: PointTable, wraps: Bool) -> [BoxSpan] {
        var spans = Array(repeating: BoxSpan.empty, count: clusterCount)
        for leaf in 0..<leafCount where leafParents[leaf] != Self.noParent {
            let position = ClusterInput.place(
                points.position(of: Int(leafRows[leaf])), wraps: wraps)
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

    /// - Parameter position: in the unit square.
    public mutating func include(_ position: WorldPoint) {
        box.include(position)
        turned.include(
            WorldPoint(x: position.x < 0.5 ? position.x + 1 : position.x, y: position.y))
    }

    public mutating func include(_ other: BoxSpan) {
        box.include(other.box)
        turned.include(other.turned)
    }

    /// The box; where the world wraps, the narrower one, if it leaves out half of the world and so the widest gap,
    /// or nil if neither does.
    public func box(wraps: Bool) -> WorldBox? {
        if !wraps || box.maxX - box.minX <= 0.5 { return box }
        return turned.maxX - turned.minX < 0.5 ? turned : nil
    }
}
