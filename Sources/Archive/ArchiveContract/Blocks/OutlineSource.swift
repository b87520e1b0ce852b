import Geometry

/// Finds the shape of a cluster from what is known of the leaf blocks: of those that lie wholly in
/// it their hulls do, of the others the points.
package protocol OutlineSource: ~Copyable {
    associatedtype Failure: Error
    /// How leaves are cut into blocks.
    var table: LeafBlockTable { get }
    /// The corners of a block's hull, as they lie in the world.
    mutating func outline(ofBlock number: Int64) throws(Failure) -> [GridPoint]
    /// The points of a part of a block.
    mutating func points(of part: BlockParts.Part) throws(Failure) -> [GridPoint]
}

extension OutlineSource where Self: ~Copyable {
    /// The corners of the hull.
    /// - Complexity: O(blocks); only blocks at the cluster's ends, and such as reach around the
    ///   world, are looked at point by point.
    package mutating func outlineCorners(of record: ClusterRecord) throws(Failure) -> [GridPoint] {
        var corners: [GridPoint] = []
        for part in BlockParts(of: record.leaves, in: table) {
            corners += try self.corners(of: part, around: record.position.x)
            // What lies within is of no more use.
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
            // A hull that comes apart when it is laid out around the cluster lost the corners that
            // it has there.
            if Set(zip(kept, laidOut).map { $0.x &- $1.x }).count == 1 { return laidOut }
        }
        return GridHull(of: try points(of: part).map { $0.laidOut(around: center) }).corners
    }

    /// The narrowest box. Around points in most places of the world it may be a little wider, where
    /// too many blocks would have to be looked at to know.
    package mutating func outlineBox(of leaves: Range<Int64>) throws(Failure) -> WorldBox {
        let plain = try plainBox(of: leaves)
        // What is left out of it is wider than any gap within.
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
        // The narrowest box leaves out the widest gap. A block may hide a wider one among its
        // points, if it is wider itself than what is left between the blocks.
        let outline = WorldBox(wrapping: boxes + blocks.map(\.box))
        let gap = 1 - (outline.maxX - outline.minX)
        let wide = blocks.filter { $0.box.maxX - $0.box.minX > gap }
        guard (1...OutlineLimits.mostBlocksRead).contains(wide.count) else { return outline }
        boxes += blocks.filter { $0.box.maxX - $0.box.minX <= gap }.map(\.box)
        for (part, _) in wide { boxes += try singles(of: part) }
        return WorldBox(wrapping: boxes)
    }

    /// The box around all of it on a world with an end.
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
    /// The same position whole worlds away, within half a world of `center`.
    func laidOut(around center: Int32) -> GridPoint {
        let world = GridPoint.steps
        let worlds = (Double(Int64(x) - Int64(center)) / world).rounded()
        return GridPoint(x: Int32(clamping: Int64(x) - Int64(worlds * world)), y: y)
    }
}
