import Geometry
import TileArchive

extension ClusterAnswers {
    /// The corners of the smallest convex shape around a cluster's points, laid out around the
    /// cluster itself, so that a shape over the antimeridian stays in one piece.
    mutating func hull(
        of id: Int64, in index: inout ClusterIndex
    ) throws(ServiceError) -> [WorldPoint] {
        let record = try cluster(id, in: &index)
        let center = record.place.worldPoint.x
        let corners = try corners(of: record.leaves, in: &index).map { point in
            WorldPoint(x: point.x - (point.x - center).rounded(), y: point.y)
        }
        return ConvexHull(of: corners).corners
    }

    mutating func box(
        of id: Int64, in index: inout ClusterIndex
    ) throws(ServiceError) -> LonLatBox {
        let record = try cluster(id, in: &index)
        let corners = try corners(of: record.leaves, in: &index)
        return WorldBox(wrapping: corners.map(\.wrapped)).lonLatBox
    }

    /// Points that the hull of the leaves is made of: whole blocks by the hulls that are kept of
    /// them, the others point by point.
    private mutating func corners(
        of leaves: Range<Int64>, in index: inout ClusterIndex
    ) throws(ServiceError) -> [WorldPoint] {
        let size = ClusterIndex.leavesPerBlock
        var corners: [WorldPoint] = []
        var leaf = leaves.lowerBound
        while leaf < leaves.upperBound {
            let number = leaf / size
            let block = number * size..<(number + 1) * size
            let part = block.clamped(to: leaves)
            if part == block {
                let kept = try archive.reading { () throws(ArchiveError) in
                    try index.hull(ofLeafBlock: number)
                }
                corners += kept.map(\.worldPoint)
            } else {
                let points = try places(of: part, inBlock: number, &index)
                corners += ConvexHull(of: points).corners
            }
            leaf = part.upperBound
        }
        return corners
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
