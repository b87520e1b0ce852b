import ArchiveContract
import Geometry
import TileArchive

extension ClusterQuery {
    /// The corners of the smallest convex shape around the cluster's points, laid out around the
    /// cluster, so that a shape over the antimeridian stays in one piece.
    /// - Complexity: O(blocks); only blocks at the cluster's ends, and such as reach around the
    ///   world, are read point by point.
    public mutating func hull(of id: Int64) throws(ClusterQueryError) -> [WorldPoint] {
        let record = try cluster(id)
        let center = record.position.worldPoint.x
        var corners: [WorldPoint] = []
        for part in BlockParts(of: record.leaves) {
            corners += try self.corners(of: part, around: center)
            // What lies within is of no more use.
            if corners.count > Self.mostCorners { corners = ConvexHull(of: corners).corners }
        }
        return ConvexHull(of: corners).corners
    }

    private static var mostCorners: Int { 100_000 }

    private mutating func corners(
        of part: BlockParts.Part, around center: Double
    ) throws(ClusterQueryError) -> [WorldPoint] {
        func laidOut(_ points: [WorldPoint]) -> [WorldPoint] {
            points.map { WorldPoint(x: $0.x - ($0.x - center).rounded(), y: $0.y) }
        }
        if part.isWhole {
            let kept = try hull(ofBlock: part.block)
            // A hull that comes apart when it is laid out around the cluster lost the corners that
            // it has there.
            if Set(kept.map { ($0.x - center).rounded() }).count == 1 { return laidOut(kept) }
        }
        return ConvexHull(of: laidOut(try places(of: part))).corners
    }

    /// The narrowest box around the cluster's points. Around points in most places of the world it
    /// may be a little wider, where too many blocks would have to be read to know.
    /// - Complexity: as the hull's.
    public mutating func box(of id: Int64) throws(ClusterQueryError) -> LonLatBox {
        var boxes: [WorldBox] = []
        var blocks: [(part: BlockParts.Part, box: WorldBox)] = []
        for part in BlockParts(of: try cluster(id).leaves) {
            if part.isWhole {
                blocks.append((part, WorldBox(around: try hull(ofBlock: part.block))))
            } else {
                boxes += try places(of: part).map { WorldBox(around: [$0.wrapped]) }
            }
        }
        // The narrowest box leaves out the widest gap. A block may hide a wider one among its
        // points, if it is wider itself than what is left between the blocks.
        let outline = WorldBox(wrapping: boxes + blocks.map(\.box))
        let gap = 1 - (outline.maxX - outline.minX)
        let wide = blocks.filter { $0.box.maxX - $0.box.minX > gap }
        guard wide.count <= Self.mostBlocksRead else { return outline.lonLatBox }
        boxes += blocks.filter { $0.box.maxX - $0.box.minX <= gap }.map(\.box)
        for (part, _) in wide {
            boxes += try places(of: part).map { WorldBox(around: [$0.wrapped]) }
        }
        return WorldBox(wrapping: boxes).lonLatBox
    }
}
