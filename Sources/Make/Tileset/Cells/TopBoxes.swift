import Clustering
import Geometry

/// The boxes of the clusters above the cut, computed from those of the nodes handed up.
///
/// They equal the boxes of all points. Only a cluster that spans more than half the world in both
/// directions may need some of its points again: its box leaves out the widest gap between points,
/// which may be inside the reach of a single node.
struct TopBoxes {
    /// Positions from west to east, from 0 to 1.
    typealias Stretch = ClosedRange<Double>

    private let top: TopTree
    /// The reach of each row.
    private let rows: [BoxSpan]
    private let wraps: Bool

    /// - Parameters:
    ///   - spans: the spans of the clusters among the nodes.
    ///   - wraps: whether the layer's clusters form across the antimeridian.
    init(_ top: TopTree, _ nodes: Frontier, _ spans: [BoxSpan], wraps: Bool) {
        self.top = top
        self.wraps = wraps
        var rows = (0..<nodes.points.count).map { row in
            var span = BoxSpan.empty
            span.include(nodes.points.position(of: row).inSquare(wraps: wraps))
            return span
        }
        for (cluster, span) in zip(nodes.clusters, spans) { rows[Int(cluster.row)] = span }
        self.rows = rows
    }

    /// A box for each cluster of the top.
    /// - Parameter columns: the positions, west to east, of the points that have some leaves and
    ///   are in some stretches.
    func boxes(
        columns: (_ leaves: Range<Int>, _ within: [Stretch]) throws -> [Double]
    ) rethrows -> [WorldBox] {
        let clusters = top.clusters
        var indexes: [Int: Int] = [:]
        for (index, cluster) in clusters.enumerated() { indexes[cluster.place.cluster] = index }
        var spans = Array(repeating: BoxSpan.empty, count: clusters.count)
        for (row, span) in rows.enumerated() {
            if let parent = indexes[top.placements[row].parent] { spans[parent].include(span) }
        }
        // A parent has a lower number than its children.
        for index in clusters.indices.sorted(by: {
            clusters[$0].place.cluster > clusters[$1].place.cluster
        }) {
            guard let parent = indexes[clusters[index].place.parent] else { continue }
            spans[parent].include(spans[index])
        }
        return try clusters.indices.map { index in
            if let box = spans[index].box(wraps: wraps) { return box }
            let leaf = clusters[index].place.leaf
            let places = try points(of: leaf..<leaf + clusters[index].points, columns)
            let box = spans[index].box
            var whole = WorldBox(wrapping: places.map { WorldPoint(x: $0, y: box.minY) })
            whole.maxY = box.maxY
            return whole
        }
    }

    /// Enough of a cluster's points to find the widest gap between all of them: the ends of all
    /// nodes, and the points of nodes that reach at least as far as the widest gap between nodes.
    private func points(
        of leaves: Range<Int>, _ columns: (Range<Int>, [Stretch]) throws -> [Double]
    ) rethrows -> [Double] {
        let rows = rows.indices.filter { leaves.contains(top.placements[$0].leaf) }
        let reaches = rows.map { Self.reach(of: self.rows[$0]) }
        let gap = Self.widestGap(between: reaches.flatMap(\.stretches))
        let wide = reaches.filter { $0.width >= gap && $0.width > 0 }.flatMap(\.stretches)
        let ends = reaches.flatMap(\.ends)
        return wide.isEmpty ? ends : ends + (try columns(leaves, wide))
    }

    /// The reach of a node from west to east: one stretch, or two if it crosses the edge of the world.
    private static func reach(
        of span: BoxSpan
    ) -> (stretches: [Stretch], ends: [Double], width: Double) {
        let (box, turned) = (span.box, span.turned)
        let (width, turnedWidth) = (box.maxX - box.minX, turned.maxX - turned.minX)
        // A span in the west alone keeps its width when it is moved further east, except for rounding.
        guard turnedWidth < width, turned.minX < 1, turned.maxX >= 1 else {
            return ([box.minX...box.maxX], [box.minX, box.maxX], width)
        }
        let east = turned.maxX - 1
        return ([turned.minX...1, 0...east], [turned.minX, east], turnedWidth)
    }

    private static func widestGap(between stretches: [Stretch]) -> Double {
        let stretches = stretches.sorted { $0.lowerBound < $1.lowerBound }
        guard let first = stretches.first else { return 0 }
        var (widest, reached) = (0.0, first.upperBound)
        for stretch in stretches.dropFirst() {
            widest = max(widest, stretch.lowerBound - reached)
            reached = max(reached, stretch.upperBound)
        }
        return max(widest, first.lowerBound + 1 - reached)
    }
}
