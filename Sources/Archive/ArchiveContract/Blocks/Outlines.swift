import Geometry

/// The hulls of some large clusters, in the order of the overview.
public struct Outlines: Equatable, Sendable {
    public var hulls: [[GridPoint]]

    public init(_ hulls: [[GridPoint]]) { self.hulls = hulls }

    /// How many large clusters are together.
    public static let size = 64

    public var packed: [UInt8] {
        var message = MessageWriter()
        message.field(BlockField.format, ClusterBlock.format)
        message.list(BlockField.sizes, hulls.map { UInt64($0.count) })
        message.list(BlockField.corners, signed: hulls.flatMap(\.self).steps)
        return MessageWriter.tile(BlockField.outlines, message)
    }

    public init(unpacking bytes: [UInt8]) throws(ClusterBlockError) {
        var message = try MessageReader.message(BlockField.outlines, in: bytes)
        var (format, sizes, steps): (UInt64?, [UInt64], [Int64]) = (nil, [], [])
        while let (field, value) = try message.next() {
            switch (field, value) {
            case (BlockField.format, .number(let value)): format = value
            case (BlockField.sizes, .bytes(let list)): sizes = try list.list()
            case (BlockField.corners, .bytes(let list)): steps = try list.signedList()
            default: break
            }
        }
        _ = try MessageReader.format(format)
        var corners = try ClusterBlock.points(steps)[...]
        hulls = []
        for size in sizes {
            guard size <= UInt64(corners.count) else { break }
            hulls.append(Array(corners.prefix(Int(size))))
            corners = corners.dropFirst(Int(size))
        }
        guard hulls.count == sizes.count, corners.isEmpty else {
            throw .garbled("its lists of corners do not fit")
        }
    }
}

extension GridHull {
    /// The hull of a large cluster.
    /// - Parameters:
    ///   - blocks: the corners of the hulls of its blocks. Each is moved by whole worlds to where it lies nearest.
    ///   - center: where the cluster stands.
    public init(ofBlocks blocks: some Sequence<[GridPoint]>, around center: GridPoint) {
        var corners: [GridPoint] = []
        for hull in blocks {
            guard let box = GridBox(around: hull) else { continue }
            let middle = Double(box.west + box.east) / 2 - Double(center.x)
            let worlds = Int64((middle / GridPoint.steps).rounded()) * Int64(GridPoint.steps)
            corners += hull.map { GridPoint(x: Int32(clamping: Int64($0.x) - worlds), y: $0.y) }
            // What lies within is of no more use.
            if corners.count > OutlineLimits.mostCorners { corners = GridHull(of: corners).corners }
        }
        self.init(of: corners)
    }
}
