import Geometry

/// Goes through an archive's tiles by zoom, column and row, or along the curve, one at a time.
///
///     var scan = try archive.scan(zooms: 3...5)
///     while let tile = try scan.next() { use(tile, scan.bytes) }
public typealias TileScan = Scan<any TileWalk>

/// Goes through an archive's tiles, with tiles of the same contents as one group.
package typealias GroupScan = Scan<any GroupWalk>

/// A walk, with the bytes at which it is.
public struct Scan<Walk>: ~Copyable {
    private let walk: Walk
    private var contents: [UInt8] = []

    init(_ walk: Walk) { self.walk = walk }

    /// The stored bytes of what `next` went to.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { contents.span }
    }

    /// Moves the stored bytes to the end of `others`, and gives up the memory of a large tile. If `others` is
    /// empty, nothing is copied.
    package mutating func moveBytes(behind others: inout [UInt8]) {
        guard !others.isEmpty else { return swap(&contents, &others) }
        others += contents
        contents.removeAll(keepingCapacity: contents.capacity < 1 << 20)
    }
}

// It owns its walk alone, and every use that moves it is exclusive.
extension Scan: @unchecked Sendable {}

extension Scan<any TileWalk> {
    /// Goes to the next tile; nil when there is none.
    public mutating func next() throws(ArchiveError) -> TileID? { try walk.next(&contents) }

    /// Goes to the next tiles that have the same contents, in the order of the scan.
    package mutating func nextGroup() throws(ArchiveError) -> TileGroup? {
        try walk.nextGroup(&contents)
    }
}

extension Scan<any GroupWalk> {
    /// Goes to the next tiles; nil when there are none.
    package mutating func next() throws(ArchiveError) -> TileGroup? {
        try walk.nextGroup(&contents)
    }
}
