/// Numbers of fields, as docs/pmtiles.md lists them.
enum BlockField {
    /// In the range of a vector tile that MVT 2.1 leaves to extensions.
    static let index: UInt64 = 100
    static let overview: UInt64 = 101
    static let page: UInt64 = 102

    static let format: UInt64 = 1
    static let block: UInt64 = 2
    static let first: UInt64 = 3
    static let leaves: UInt64 = 4
    static let hull: UInt64 = 5
    static let firsts: UInt64 = 6
    static let zooms: UInt64 = 7
    static let counts: UInt64 = 8
    static let xs: UInt64 = 9
    static let ys: UInt64 = 10
    static let shapes: UInt64 = 11
    static let copied: UInt64 = 12
    static let copies: UInt64 = 13
    static let shifted: UInt64 = 14

    static let box: UInt64 = 1
    static let corners: UInt64 = 2
    static let edges: UInt64 = 2
    static let pages: UInt64 = 3
    static let ids: UInt64 = 2
    static let leafSteps: UInt64 = 3
}

extension ClusterBlock {
    /// The index as the first member of a payload has it.
    public var packed: [UInt8] {
        var message = MessageWriter()
        message.field(BlockField.format, Self.format)
        message.field(BlockField.block, UInt64(number))
        message.field(BlockField.first, UInt64(leaves.lowerBound))
        message.field(BlockField.leaves, UInt64(leaves.count))
        message.list(BlockField.hull, signed: hull.steps)
        pack(rows, into: &message)
        for shape in shapes { message.field(BlockField.shapes, bytes: shape.packed) }
        message.list(BlockField.copied, copied.differences.map(UInt64.init))
        if !copies.isEmpty { message.field(BlockField.copies, bytes: copies) }
        var tile = MessageWriter()
        tile.field(BlockField.index, bytes: message.bytes)
        return tile.bytes
    }

    private func pack(_ rows: [ClusterRecord], into message: inout MessageWriter) {
        var nesting = RowNesting()
        var xs: [Int64] = []
        var ys: [Int64] = []
        for row in rows {
            let base = nesting.enter(row)?.position ?? GridPoint(x: 0, y: 0)
            xs.append(Int64(row.position.x) - Int64(base.x))
            ys.append(Int64(row.position.y) - Int64(base.y))
        }
        message.list(
            BlockField.firsts, rows.map(\.key.firstLeaf).differences.map(UInt64.init))
        message.list(BlockField.zooms, rows.map { UInt64($0.key.zoom) })
        message.list(BlockField.counts, rows.map { UInt64($0.leafCount) })
        message.list(BlockField.xs, signed: xs)
        message.list(BlockField.ys, signed: ys)
        // Next to no row has a name that is not its place.
        let shifted = rows.indices.filter { rows[$0].shift != 0 }.map(Int64.init)
        message.list(
            BlockField.shifted,
            signed: zip(shifted, shifted.differences).flatMap { [$1, rows[Int($0)].shift] })
    }
}

/// Which clusters are around the next, while rows come in the order of their keys.
struct RowNesting {
    private var open: [ClusterRecord] = []

    /// The cluster around this one, which is the innermost from then on.
    mutating func enter(_ row: ClusterRecord) -> ClusterRecord? {
        let parent = around(row.key.firstLeaf)
        open.append(row)
        return parent
    }

    /// The innermost cluster that holds a leaf, of those that came.
    mutating func around(_ leaf: Int64) -> ClusterRecord? {
        while let last = open.last, last.leaves.upperBound <= leaf { open.removeLast() }
        return open.last
    }
}

extension ClusterShape {
    fileprivate var packed: [UInt8] {
        var message = MessageWriter()
        message.list(BlockField.box, signed: [box.west, box.north, box.east, box.south])
        message.list(BlockField.corners, signed: corners.steps)
        return message.bytes
    }
}

extension [GridPoint] {
    /// x and y of each, less those of the point before.
    fileprivate var steps: [Int64] {
        var before = GridPoint(x: 0, y: 0)
        return flatMap { point in
            defer { before = point }
            return [Int64(point.x) - Int64(before.x), Int64(point.y) - Int64(before.y)]
        }
    }
}

extension [Int64] {
    /// Each less the one before; the first as it is.
    var differences: [Int64] {
        indices.map { $0 == 0 ? self[0] : self[$0] - self[$0 - 1] }
    }
}
