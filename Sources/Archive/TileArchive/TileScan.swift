import Geometry

/// Goes through an archive's tiles by zoom, column and row, or along the curve, one at a time.
///
///     var scan = try archive.scan(zooms: 3...5)
///     while let tile = try scan.next() { use(tile, scan.bytes) }
public struct TileScan: ~Copyable {
    private let walk: any TileWalk
    private var contents: [UInt8] = []

    init(_ walk: any TileWalk) { self.walk = walk }

    /// Goes to the next tile; nil when there is none.
    public mutating func next() throws(ArchiveError) -> TileID? { try walk.next(&contents) }

    /// Goes to the next tiles that have the same contents, in the order of the scan.
    package mutating func nextGroup() throws(ArchiveError) -> TileGroup? {
        try walk.nextGroup(&contents)
    }

    /// The stored bytes of the tile that `next` went to.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { contents.span }
    }

    /// Moves the stored bytes to the end of `others`.
    package mutating func moveBytes(behind others: inout [UInt8]) {
        contents.move(behind: &others)
    }
}

// It owns its walk alone, and every use that moves it is exclusive.
extension TileScan: @unchecked Sendable {}

/// Goes through an archive's tiles, with tiles of the same contents as one group.
package struct GroupScan: ~Copyable {
    private let walk: any GroupWalk
    private var contents: [UInt8] = []

    init(_ walk: any GroupWalk) { self.walk = walk }

    /// Goes to the next tiles; nil when there are none.
    package mutating func next() throws(ArchiveError) -> TileGroup? {
        try walk.nextGroup(&contents)
    }

    /// The stored bytes of the tiles that `next` went to.
    package var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { contents.span }
    }

    /// Moves the stored bytes to the end of `others`.
    package mutating func moveBytes(behind others: inout [UInt8]) {
        contents.move(behind: &others)
    }
}

// It owns its walk alone, and every use that moves it is exclusive.
extension GroupScan: @unchecked Sendable {}

extension [UInt8] {
    /// Moves the bytes to the end of `others`, and gives up the memory of a large array. If `others` is empty,
    /// nothing is copied.
    fileprivate mutating func move(behind others: inout [UInt8]) {
        guard !others.isEmpty else { return swap(&self, &others) }
        others += self
        removeAll(keepingCapacity: capacity < 1 << 20)
    }
}
