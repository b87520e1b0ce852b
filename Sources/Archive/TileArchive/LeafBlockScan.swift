import ArchiveContract

/// Goes through an archive's leaf blocks by their numbers, one at a time.
///
///     var scan = try archive.scanLeafBlocks()
///     while let block = try scan.next() { use(block, scan.bytes) }
public struct LeafBlockScan: ~Copyable {
    private let walk: any LeafBlockWalk
    private var contents: [UInt8] = []
    /// The corners of the hull of the block's points; nil if they are invalid.
    public private(set) var hull: [GridPoint]?

    init(_ walk: any LeafBlockWalk) { self.walk = walk }

    /// Goes to the next block and returns its number; nil when there is none.
    public mutating func next() throws(ArchiveError) -> Int64? {
        try walk.next(&contents, hull: &hull)
    }

    /// The stored bytes of the block that `next` went to.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { contents.span }
    }
}

// It owns its walk alone, and every use that moves it is exclusive.
extension LeafBlockScan: @unchecked Sendable {}
