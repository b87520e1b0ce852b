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
        return try corners(of: record).map(\.worldPoint)
    }

    /// The box around the cluster's points; where the world wraps, the narrowest one. If the points are in most
    /// places of the world, it may be a little wider, where too many blocks would have to be read to know.
    /// - Complexity: that of `hull(of:)`.
    public mutating func box(of id: Int64) throws(ClusterQueryError) -> LonLatBox {
        let record = try cluster(id)
        let kept = try keptBoxes()
        if description.layer(ofLeaf: record.key.firstLeaf)?.wraps == false {
            return try flatBox(of: record.leaves, kept ?? []).lonLatBox
        }
        if let kept, let blocks = table.wholeBlocks(record.leaves),
            blocks.upperBound <= kept.count
        {
            let boxes = kept[Int(blocks.lowerBound)..<Int(blocks.upperBound)]
            return WorldBox(wrapping: boxes.map(\.worldBox)).lonLatBox
        }
        return try narrowestBox(of: record.leaves).lonLatBox
    }

    /// The corners of a cluster's hull: from the hulls of blocks that lie wholly in it, and from the points of
    /// others.
    private mutating func corners(
        of record: ClusterRecord
    ) throws(ClusterQueryError) -> [GridPoint] {
        var corners: [GridPoint] = []
        for part in BlockParts(of: record.leaves, in: table) {
            corners += try self.corners(of: part, around: record.position.x)
            // Points inside the hull are no longer needed.
            if corners.count > GridHull.mostCorners { corners = GridHull(of: corners).corners }
        }
        return GridHull(of: corners).corners
    }

    private mutating func corners(
        of part: BlockParts.Part, around center: Int32
    ) throws(ClusterQueryError) -> [GridPoint] {
        if part.isWhole {
            let kept = try hull(ofBlock: part.block)
            let laidOut = kept.map { $0.laidOut(around: center) }
            // A hull that is torn apart when it is laid out around the cluster lacks the corners that it would
            // have there.
            if Set(zip(kept, laidOut).map { $0.x &- $1.x }).count == 1 { return laidOut }
        }
        return GridHull(of: try points(of: part).map { $0.laidOut(around: center) }).corners
    }

    /// The narrowest box around leaves.
    private mutating func narrowestBox(
        of leaves: Range<Int64>
    ) throws(ClusterQueryError) -> WorldBox {
        let plain = try plainBox(of: leaves)
        // The part of the world outside of the box is wider than any gap within.
        guard plain.maxX - plain.minX > 0.5 else { return plain }
        var boxes: [WorldBox] = []
        var blocks: [(part: BlockParts.Part, box: WorldBox)] = []
        for part in BlockParts(of: leaves, in: table) {
            if part.isWhole {
                let hull = try hull(ofBlock: part.block).map(\.worldPoint)
                blocks.append((part, WorldBox(around: hull)))
            } else {
                boxes += try singles(of: part)
            }
        }
        // The narrowest box leaves out the widest gap. A block may have a wider gap among its points, if the
        // block is wider itself than the gap between blocks.
        let outline = WorldBox(wrapping: boxes + blocks.map(\.box))
        let gap = 1 - (outline.maxX - outline.minX)
        let wide = blocks.filter { $0.box.maxX - $0.box.minX > gap }
        guard (1...Self.mostBlocksRead).contains(wide.count) else { return outline }
        boxes += blocks.filter { $0.box.maxX - $0.box.minX <= gap }.map(\.box)
        for (part, _) in wide { boxes += try singles(of: part) }
        return WorldBox(wrapping: boxes)
    }

    /// The box around leaves of a layer that does not wrap. Blocks are laid out on a world that does, so that the
    /// points of one that reaches the east edge are read.
    /// - Parameter kept: the stored boxes of blocks, if the archive has them in one place.
    private mutating func flatBox(
        of leaves: Range<Int64>, _ kept: [GridBox]
    ) throws(ClusterQueryError) -> WorldBox {
        var box = WorldBox.empty
        for part in BlockParts(of: leaves, in: table) {
            let own: GridBox? =
                if !part.isWhole { nil } else if part.block < Int64(kept.count) {
                    kept[Int(part.block)]
                } else {
                    GridBox(around: try hull(ofBlock: part.block))
                }
            if let own, own.east < Int64(GridPoint.steps) {
                box.include(own.worldBox)
            } else {
                for point in try points(of: part) { box.include(point.worldPoint) }
            }
        }
        return box
    }

    /// The box around all leaves on a world that does not wrap.
    private mutating func plainBox(of leaves: Range<Int64>) throws(ClusterQueryError) -> WorldBox {
        var box = WorldBox.empty
        for part in BlockParts(of: leaves, in: table) {
            if part.isWhole {
                for corner in try hull(ofBlock: part.block) { box.include(corner.worldPoint) }
            } else {
                for point in try points(of: part) { box.include(point.worldPoint.wrapped) }
            }
        }
        return box
    }

    private mutating func singles(of part: BlockParts.Part) throws(ClusterQueryError) -> [WorldBox]
    {
        try points(of: part).map { WorldBox(around: [$0.worldPoint.wrapped]) }
    }

    private mutating func points(
        of part: BlockParts.Part
    ) throws(ClusterQueryError) -> [GridPoint] {
        try positions(of: part).map(GridPoint.init(clamping:))
    }
}

extension GridPoint {
    /// The same position, moved by whole worlds to within half a world of `center`.
    fileprivate func laidOut(around center: Int32) -> GridPoint {
        let world = GridPoint.steps
        let worlds = (Double(Int64(x) - Int64(center)) / world).rounded()
        return GridPoint(x: Int32(clamping: Int64(x) - Int64(worlds * world)), y: y)
    }
}
