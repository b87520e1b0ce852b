/// Numbers of fields, as docs/pmtiles.md lists them.
enum BlockField {
    /// In the range of field numbers of a vector tile that MVT 2.1 leaves to extensions.
    static let index: UInt64 = 100
    static let overview: UInt64 = 101
    static let page: UInt64 = 102
    static let outlines: UInt64 = 103
    static let contents: UInt64 = 104

    static let format: UInt64 = 1
    // Fields of a block; number and first leaf up to format 3 only.
    static let block: UInt64 = 2
    static let first: UInt64 = 3
    static let leaves: UInt64 = 4
    static let hull: UInt64 = 5
    // Fields of a page; in format 3 the targets are leaves.
    static let ids: UInt64 = 2
    static let pageTargets: UInt64 = 3
    // Fields of outlines.
    static let sizes: UInt64 = 2
    static let corners: UInt64 = 3
}

extension ClusterBlock {
    /// The index as it is in the first member of a payload.
    public var packed: [UInt8] {
        var message = MessageWriter()
        message.field(BlockField.format, Self.format)
        message.field(BlockField.leaves, UInt64(leaves.count))
        message.list(BlockField.hull, signed: hull.steps)
        RowColumns(rows, firstLeaf: leaves.lowerBound, origin: hull.first ?? RowColumns.noOrigin)
            .write(to: &message, as: .ofBlock)
        return MessageWriter.tile(BlockField.index, message)
    }
}

extension MessageWriter {
    /// A vector tile that holds only a message.
    static func tile(_ field: UInt64, _ message: MessageWriter) -> [UInt8] {
        var tile = MessageWriter()
        tile.field(field, bytes: message.bytes)
        return tile.bytes
    }
}

extension [GridPoint] {
    /// The x and y of each point, minus those of the point before.
    var steps: [Int64] {
        var before = GridPoint(x: 0, y: 0)
        return flatMap { point in
            defer { before = point }
            return [Int64(point.x) - Int64(before.x), Int64(point.y) - Int64(before.y)]
        }
    }
}

extension [Int64] {
    /// Each number minus the one before; the first unchanged.
    var differences: [Int64] {
        indices.map { $0 == 0 ? self[0] : self[$0] - self[$0 - 1] }
    }
}
