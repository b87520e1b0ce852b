/// The values of a page or a dictionary as they can be looked up one by one, whatever their encoding.
struct ColumnValues: Sendable {
    /// Which rows have a value; nil where all have.
    var levels: ValueLevels?
    let bytes: [UInt8]
    let layout: Layout

    enum Layout: Sendable {
        /// Values of one size, one behind another from an offset on.
        case fixed(start: Int, size: Int, count: Int)
        /// One bit a value.
        case bits(start: Int, count: Int)
        /// A truth value a run.
        case truths(RunLengths, count: Int)
        /// Where each value begins, and behind the last its end; in front of each lie `gap` bytes more.
        case texts(starts: [UInt32], gap: Int)
        /// Binary values of one size, in front of each four bytes more.
        case even(start: Int, size: Int, count: Int)
        case indexes(RunLengths, count: Int)
    }

    /// How many values are there.
    var valueCount: Int {
        switch layout {
        case .fixed(_, _, let count), .bits(_, let count), .truths(_, let count),
            .even(_, _, let count), .indexes(_, let count):
            count
        case .texts(let starts, _): starts.count - 1
        }
    }

    /// The size of binary values that lie in even steps, a value a row; nil of all others.
    var evenSize: Int? {
        guard levels == nil, case .even(_, let size, _) = layout else { return nil }
        return size
    }

    /// Where a text lies in the bytes.
    @inline(__always)
    static func text(_ index: Int, _ starts: Span<UInt32>, _ gap: Int) -> Range<Int> {
        Int(starts[index])..<Int(starts[index + 1]) - gap
    }
}
