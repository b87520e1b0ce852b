/// What the values of a table's columns that were seen have in common.
///
/// A column is of numbers or of truth values only if all its cells are; else it is text. A code with
/// a zero in front, `007`, is no number in this sense, and neither is what 64 bits can't hold.
struct CSVKinds: Sendable, Equatable {
    enum Kind: Sendable { case unknown, number, bool, text }

    private(set) var kinds: [Kind]
    /// Whether a column had cells packed as something that it turned out not to be.
    private(set) var isRefuted = false
    /// How often a column's kind became another one.
    private(set) var changeCount = 0

    init(count: Int) { kinds = [Kind](repeating: .unknown, count: count) }

    @inline(__always)
    subscript(column: Int) -> Kind { kinds[column] }

    /// Notes a cell that isn't of the column's kind so far.
    mutating func widen(_ column: Int, to kind: Kind) {
        if kinds[column] == .unknown {
            kinds[column] = kind
            changeCount += 1
        } else if kinds[column] != kind, kinds[column] != .text {
            kinds[column] = .text
            changeCount += 1
            isRefuted = true
        }
    }

    /// Adds what another worker saw of the same table.
    mutating func add(_ other: CSVKinds) {
        if other.isRefuted { isRefuted = true }
        for column in kinds.indices where other.kinds[column] != .unknown {
            // Two workers that started from the same kinds and differ have packed cells two ways.
            widen(column, to: other.kinds[column])
        }
    }

    mutating func forgetRefutations() { isRefuted = false }
}
