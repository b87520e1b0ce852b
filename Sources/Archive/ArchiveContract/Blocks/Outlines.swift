import Geometry

/// The hulls of some large clusters, in the order of the overview.
public struct Outlines: Equatable, Sendable {
    public var hulls: [[GridPoint]]

    public init(_ hulls: [[GridPoint]]) { self.hulls = hulls }

    /// The number of large clusters in one payload.
    public static let size = 64
    /// Far more than hulls of points on the grid have.
    private static let mostCorners = 1 << 19

    public var packed: [UInt8] {
        var message = MessageWriter()
        message.field(BlockField.format, ClusterBlock.format)
        message.list(BlockField.sizes, hulls.map { UInt64($0.count) })
        message.list(BlockField.corners, signed: hulls.flatMap(\.self).steps)
        return MessageWriter.tile(BlockField.outlines, message)
    }

    public init(unpacking bytes: [UInt8]) throws(ClusterBlockError) {
        let fields = try MessageFields(BlockField.outlines, of: bytes)
        let sizes = try fields.list(BlockField.sizes, most: Self.size)
        var corners = try fields.points(BlockField.corners, most: Self.mostCorners)[...]
        hulls = []
        for size in sizes {
            guard size <= UInt64(corners.count) else { break }
            hulls.append(Array(corners.prefix(Int(size))))
            corners = corners.dropFirst(Int(size))
        }
        guard hulls.count == sizes.count, corners.isEmpty else {
            throw .garbled("its lists of corners do not match")
        }
    }
}

extension GridHull {
    /// The hull of a large cluster.
    /// - Parameters:
    ///   - blocks: the corners of the hulls of its blocks. Each is moved by whole worlds to be nearest to the
    ///     center.
    ///   - center: the position of the cluster.
    public init(ofBlocks blocks: some Sequence<[GridPoint]>, around center: GridPoint) {
        var corners: [GridPoint] = []
        for hull in blocks {
            guard let box = GridBox(around: hull) else { continue }
            let middle = Double(box.west + box.east) / 2 - Double(center.x)
            let worlds = Int64((middle / GridPoint.steps).rounded()) * Int64(GridPoint.steps)
            corners += hull.map { GridPoint(x: Int32(clamping: Int64($0.x) - worlds), y: $0.y) }
            // Points inside the hull are no longer needed.
            if corners.count > GridHull.mostCorners { corners = GridHull(of: corners).corners }
        }
        self.init(of: corners)
    }
}
