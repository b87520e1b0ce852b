import Geometry

/// Finds the shape of a cluster from its leaf blocks: from the hulls of blocks that lie wholly in it, and from
/// the points of others.
package protocol OutlineSource: ~Copyable {
    associatedtype Failure: Error
    /// The division of leaves into blocks.
    var table: LeafBlockTable { get }
    /// The corners of a block's hull, in the coordinates in which they are stored.
    mutating func outline(ofBlock number: Int64) throws(Failure) -> [GridPoint]
    /// The points of a part of a block.
    mutating func points(of part: BlockParts.Part) throws(Failure) -> [GridPoint]
}

extension OutlineSource where Self: ~Copyable {
    /// The corners of a cluster's hull.
    /// - Complexity: O(blocks); only blocks at the cluster's ends, and those that reach around the world, are
    ///   read point by point.
    package mutating func outlineCorners(of record: ClusterRecord) throws(Failure) -> [GridPoint] {
        var corners: [GridPoint] = []
        for part in BlockParts(of: record.leaves, in: table) {
            corners += try self.corners(of: part, around: record.position.x)
            // Points inside the hull are no longer needed.
            if corners.count > OutlineLimits.mostCorners { corners = GridHull(of: corners).corners }
        }
        return GridHull(of: corners).corners
    }

    private mutating func corners(
        of part: BlockParts.Part, around center: Int32
    ) throws(Failure) -> [GridPoint] {
        if part.isWhole {
            let kept = try outline(ofBlock: part.block)
            let laidOut = kept.map { $0.laidOut(around: center) }
            // A hull that is torn apart when it is laid out around the cluster lacks the corners that it would
            // have there.
            if Set(zip(kept, laidOut).map { $0.x &- $1.x }).count == 1 { return laidOut }
        }
        return GridHull(of: try points(of: part).map { $0.laidOut(around: center) }).corners
    }

    /// The narrowest box around leaves. If the points are in most places of the world, it may be a little wider,
    /// where too many blocks would have to be read to know.
    package mutating func outlineBox(of leaves: Range<Int64>) throws(Failure) -> WorldBox {
        let plain = try plainBox(of: leaves)
        // The part of the world outside of the box is wider than any gap within.
        guard plain.maxX - plain.minX > 0.5 else { return plain }
        var boxes: [WorldBox] = []
        var blocks: [(part: BlockParts.Part, box: WorldBox)] = []
        for part in BlockParts(of: leaves, in: table) {
            if part.isWhole {
                let hull = try outline(ofBlock: part.block).map(\.worldPoint)
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
        guard (1...OutlineLimits.mostBlocksRead).contains(wide.count) else { return outline }
        boxes += blocks.filter { $0.box.maxX - $0.box.minX <= gap }.map(\.box)
        for (part, _) in wide { boxes += try singles(of: part) }
        return WorldBox(wrapping: boxes)
    }

    /// The box around all leaves on a world that does not wrap.
    private mutating func plainBox(of leaves: Range<Int64>) throws(Failure) -> WorldBox {
        var box = WorldBox.empty
        for part in BlockParts(of: leaves, in: table) {
            if part.isWhole {
                for corner in try outline(ofBlock: part.block) { box.include(corner.worldPoint) }
            } else {
                for point in try points(of: part) { box.include(point.worldPoint.wrapped) }
            }
        }
        return box
    }

    private mutating func singles(of part: BlockParts.Part) throws(Failure) -> [WorldBox] {
        try points(of: part).map { WorldBox(around: [$0.worldPoint.wrapped]) }
    }
}

enum OutlineLimits {
    static let mostCorners = 100_000
    /// About a tenth of a second's work.
    static let mostBlocksRead = 16
}

extension GridPoint {
    /// The same position, moved by whole worlds to within half a world of `center`.
    func laidOut(around center: Int32) -> GridPoint {
        let world = GridPoint.steps
        let worlds = (Double(Int64(x) - Int64(center)) / world).rounded()
        return GridPoint(x: Int32(clamping: Int64(x) - Int64(worlds * world)), y: y)
    }
}
