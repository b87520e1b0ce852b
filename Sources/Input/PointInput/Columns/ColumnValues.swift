/// The values of a page or a dictionary in a form for look-up one by one, whatever their encoding.
struct ColumnValues: Sendable {
    /// The rows that have a value; nil if all have one.
    var levels: ValueLevels?
    /// The number of values.
    let count: Int
    let bytes: [UInt8]
    let layout: Layout

    enum Layout: Sendable {
        /// Values of one size, contiguous from an offset on.
        case fixed(start: Int, size: Int)
        /// One bit a value.
        case bits(start: Int)
        /// Truth values in runs.
        case truths(RunLengths)
        /// The start of each value, then the end of the last; `gap` additional bytes precede each.
        case texts(starts: [UInt32], gap: Int)
        /// Binary values of one size, each preceded by four additional bytes.
        case even(start: Int, size: Int)
        case indexes(RunLengths)
    }

    /// The size of binary values with equal distances, one for each row; nil for all others.
    var evenSize: Int? {
        guard levels == nil, case .even(_, let size) = layout else { return nil }
        return size
    }

    /// The range of a text in the bytes.
    @inline(__always)
    static func text(_ index: Int, _ starts: Span<UInt32>, _ gap: Int) -> Range<Int> {
        Int(starts[index])..<Int(starts[index + 1]) - gap
    }
}
