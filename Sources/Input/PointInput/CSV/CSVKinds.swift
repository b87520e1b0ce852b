/// The kinds of a table's columns, as far as their values have been seen.
///
/// A column is of numbers or of truth values only if all its cells are; otherwise it is text. A code with a
/// leading zero, `007`, is not a number here, nor is one too great to be held: `12e4567` is a code, too.
struct CSVKinds: Sendable, Equatable {
    ///
    /// A `commaNumber` is a number if the table's coordinates have decimal commas, otherwise a text.
    enum Kind: Sendable { case unknown, number, commaNumber, bool, text }

    private(set) var kinds: [Kind]
    /// Whether some cells of a column were packed as a kind that was refuted later.
    private(set) var isRefuted = false
    /// Whether a coordinate has a decimal comma.
    private(set) var hasDecimalCommas = false
    /// The number of changes of a column's kind.
    private(set) var changeCount = 0

    init(count: Int) { kinds = [Kind](repeating: .unknown, count: count) }

    @inline(__always)
    subscript(column: Int) -> Kind { kinds[column] }

    /// Records a cell that does not have the column's kind so far.
    mutating func widen(_ column: Int, to kind: Kind) {
        switch (kinds[column], kind) {
        case (.text, _), (.commaNumber, .number): return
        case (let known, kind) where known == kind: return
        case (.unknown, _): kinds[column] = kind
        case (.number, .commaNumber):
            kinds[column] = .commaNumber
            if !hasDecimalCommas { isRefuted = true }
        case (.commaNumber, _):
            kinds[column] = .text
            if hasDecimalCommas { isRefuted = true }
        default:
            kinds[column] = .text
            isRefuted = true
        }
        changeCount += 1
    }

    /// Records that commas are decimal; texts that were packed before may have to become numbers.
    mutating func noteDecimalComma() {
        guard !hasDecimalCommas else { return }
        hasDecimalCommas = true
        if kinds.contains(.commaNumber) { isRefuted = true }
    }

    /// Adds the kinds that another worker found in the same table.
    mutating func add(_ other: CSVKinds) {
        if other.isRefuted { isRefuted = true }
        if other.hasDecimalCommas {
            noteDecimalComma()
        } else if hasDecimalCommas, other.kinds.contains(.commaNumber) {
            isRefuted = true
        }
        for column in kinds.indices where other.kinds[column] != .unknown {
            // Two workers that started with the same kinds and now differ have packed cells differently.
            widen(column, to: other.kinds[column])
        }
    }

    mutating func forgetRefutations() { isRefuted = false }
}
