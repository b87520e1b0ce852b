/// Numbers of fields, as docs/pmtiles.md lists them.
enum BlockField {
    /// In the range of a vector tile that MVT 2.1 leaves to extensions.
    static let index: UInt64 = 100
    static let overview: UInt64 = 101
    static let page: UInt64 = 102
    static let outlines: UInt64 = 103

    static let format: UInt64 = 1
    // Of a block; number and first to format 3.
    static let block: UInt64 = 2
    static let first: UInt64 = 3
    static let leaves: UInt64 = 4
    static let hull: UInt64 = 5
    static let firsts: UInt64 = 6
    static let zooms: UInt64 = 7
    static let counts: UInt64 = 8
    static let xs: UInt64 = 9
    static let ys: UInt64 = 10
    static let shifted: UInt64 = 14
    // Of a page; leaves in format 3.
    static let ids: UInt64 = 2
    static let pageBlocks: UInt64 = 3
    static let leafSteps: UInt64 = 3
    // Of outlines.
    static let sizes: UInt64 = 2
    static let corners: UInt64 = 3
}

extension ClusterBlock {
    /// The index as the first member of a payload has it.
    public var packed: [UInt8] {
        var message = MessageWriter()
        message.field(BlockField.format, Self.format)
        message.field(BlockField.leaves, UInt64(leaves.count))
        message.list(BlockField.hull, signed: hull.steps)
        var places = RowPlaces(from: hull.first ?? GridPoint(x: 0, y: 0))
        for row in rows { places.append(row) }
        message.list(
            BlockField.firsts,
            rows.map { $0.key.firstLeaf - leaves.lowerBound }.differences.map(UInt64.init))
        message.list(BlockField.zooms, rows.map { UInt64($0.key.zoom) })
        message.list(BlockField.counts, rows.map { UInt64($0.leafCount) })
        message.list(BlockField.xs, signed: places.xs)
        message.list(BlockField.ys, signed: places.ys)
        message.list(BlockField.shifted, signed: rows.map(\.shift).shiftSteps)
        return MessageWriter.tile(BlockField.index, message)
    }
}

/// Where clusters stand, each less where the one around it does.
struct RowPlaces {
    private let origin: GridPoint
    private var nesting = RowNesting()
    private(set) var xs: [Int64] = []
    private(set) var ys: [Int64] = []

    /// - Parameter origin: what those without a parent count from.
    init(from origin: GridPoint) { self.origin = origin }

    mutating func append(_ row: ClusterRecord) {
        let base = nesting.enter(row)?.position ?? origin
        xs.append(Int64(row.position.x) - Int64(base.x))
        ys.append(Int64(row.position.y) - Int64(base.y))
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

extension MessageWriter {
    /// A vector tile that holds a message alone.
    static func tile(_ field: UInt64, _ message: MessageWriter) -> [UInt8] {
        var tile = MessageWriter()
        tile.field(field, bytes: message.bytes)
        return tile.bytes
    }
}

extension [GridPoint] {
    /// x and y of each, less those of the point before.
    var steps: [Int64] {
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

    /// Of shifts, next to all of which are none: the index of each that is one, less that of the one before, and
    /// the shift.
    var shiftSteps: [Int64] {
        let shifted = indices.filter { self[$0] != 0 }.map(Int64.init)
        return zip(shifted, shifted.differences).flatMap { [$1, self[Int($0)]] }
    }
}
