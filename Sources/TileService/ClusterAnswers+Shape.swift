import Geometry
import TileArchive

extension ClusterAnswers {
    /// The corners of the smallest convex shape around a cluster's points, laid out around the
    /// cluster itself, so that a shape over the antimeridian stays in one piece.
    mutating func hull(
        of id: Int64, in index: inout ClusterIndex
    ) throws(ServiceError) -> [WorldPoint] {
        let record = try cluster(id, in: &index)
        return ConvexHull(of: try corners(of: record, in: &index)).corners
    }

    mutating func box(
        of id: Int64, in index: inout ClusterIndex
    ) throws(ServiceError) -> LonLatBox {
        let record = try cluster(id, in: &index)
        var box = WorldBox.empty
        for corner in try corners(of: record, in: &index) { box.include(corner) }
        // A box begins inside the world and may end outside.
        let turns = box.minX.rounded(.down)
        box.minX -= turns
        box.maxX -= turns
        return box.lonLatBox
    }

    /// Points that the hull of a cluster is made of: whole blocks by the hulls that are kept of
    /// them, the others point by point.
    private mutating func corners(
        of record: ClusterRecord, in index: inout ClusterIndex
    ) throws(ServiceError) -> [WorldPoint] {
        let size = ClusterIndex.leavesPerBlock
        let center = record.place.worldPoint.x
        var corners: [WorldPoint] = []
        var leaf = record.leaves.lowerBound
        while leaf < record.leaves.upperBound {
            let number = leaf / size
            let part = (number * size..<(number + 1) * size).clamped(to: record.leaves)
            leaf = part.upperBound
            if part.count == Int(size) {
                let kept = try archive.reading { () throws(ArchiveError) in
                    try index.hull(ofLeafBlock: number)
                }
                let points = kept.map(\.worldPoint)
                // A hull that comes apart when it is laid out around the cluster lost the corners
                // that it has there.
                if Set(points.map { ($0.x - center).rounded() }).count == 1 {
                    corners += Self.layOut(points, around: center)
                    continue
                }
            }
            let points = try places(of: part, inBlock: number, &index)
            corners += ConvexHull(of: Self.layOut(points, around: center)).corners
        }
        return corners
    }

    /// The points at most half a world east or west of a meridian.
    private static func layOut(_ points: [WorldPoint], around center: Double) -> [WorldPoint] {
        points.map { WorldPoint(x: $0.x - ($0.x - center).rounded(), y: $0.y) }
    }

    private mutating func places(
        of leaves: Range<Int64>, inBlock number: Int64, _ index: inout ClusterIndex
    ) throws(ServiceError) -> [WorldPoint] {
        let places = try self.leaves.places(ofBlock: number, in: &index)
        let start = number * ClusterIndex.leavesPerBlock
        let part = Int(leaves.lowerBound - start)..<Int(leaves.upperBound - start)
        guard part.upperBound <= places.count else {
            throw .damaged("leaf block \(number) has too few points")
        }
        return Array(places[part])
    }
}
