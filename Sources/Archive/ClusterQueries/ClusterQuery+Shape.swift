import ArchiveContract
import Geometry
import TileArchive

extension ClusterQuery {
    /// The corners of the smallest convex shape around the cluster's points, laid out around the cluster, so that
    /// a shape across the antimeridian stays in one piece.
    /// - Complexity: O(blocks); only blocks at the cluster's ends, and those that reach around the world, are
    ///   read point by point.
    public mutating func hull(of id: Int64) throws(ClusterQueryError) -> [WorldPoint] {
        let record = try cluster(id)
        if let kept = try keptOutline(of: record.key) { return kept.map(\.worldPoint) }
        return try outlineCorners(of: record).map(\.worldPoint)
    }

    /// The narrowest box around the cluster's points. If the points are in most places of the world, it may be a
    /// little wider, where too many blocks would have to be read to know.
    /// - Complexity: that of `hull(of:)`.
    public mutating func box(of id: Int64) throws(ClusterQueryError) -> LonLatBox {
        let record = try cluster(id)
        if let kept = try keptBoxes(), let blocks = table.wholeBlocks(record.leaves),
            blocks.upperBound <= kept.count
        {
            let boxes = kept[Int(blocks.lowerBound)..<Int(blocks.upperBound)]
            return WorldBox(wrapping: boxes.map(\.worldBox)).lonLatBox
        }
        return try outlineBox(of: record.leaves).lonLatBox
    }
}

extension ClusterQuery: OutlineSource {
    package mutating func outline(
        ofBlock number: Int64
    ) throws(ClusterQueryError) -> [GridPoint] {
        try hull(ofBlock: number)
    }

    package mutating func points(
        of part: BlockParts.Part
    ) throws(ClusterQueryError) -> [GridPoint] {
        try positions(of: part).map(GridPoint.init(clamping:))
    }
}
