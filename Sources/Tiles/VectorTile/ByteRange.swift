/// A range of a tile's bytes. A tile is smaller than 4 GiB, so half the memory is enough.
struct ByteRange {
    var start: UInt32
    var end: UInt32

    init(_ range: Range<Int>) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        end = UInt32(truncatingIfNeeded: range.upperBound)
    }

    var range: Range<Int> { Int(start)..<Int(end) }
}
