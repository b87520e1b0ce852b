/// What the values of a table's columns that were seen have in common.
///
/// A column is of numbers or of truth values only if all its cells are; else it is text. A code with
/// a zero in front, `007`, is no number in this sense, and neither is what 64 bits can't hold.
struct CSVKinds: Sendable, Equatable {
    ///
    /// A `commaNumber` is a number, too, where the table's coordinates have decimal commas, else a text.
    enum Kind: Sendable { case unknown, number, commaNumber, bool, text }

    private(set) var kinds: [Kind]
    /// Whether a column had cells packed as something that it turned out not to be.
    private(set) var isRefuted = false
    /// Whether a coordinate was spelled with a decimal comma.
    private(set) var hasDecimalCommas = false
    /// How often a column's kind became another one.
    private(set) var changeCount = 0

    init(count: Int) { kinds = [Kind](repeating: .unknown, count: count) }

    @inline(__always)
    subscript(column: Int) -> Kind { kinds[column] }

    /// Notes a cell that isn't of the column's kind so far.
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

    /// Notes that commas are decimal; what was packed as texts must then become numbers.
    mutating func noteDecimalComma() {
        guard !hasDecimalCommas else { return }
        hasDecimalCommas = true
        if kinds.contains(.commaNumber) { isRefuted = true }
    }

    /// Adds what another worker saw of the same table.
    mutating func add(_ other: CSVKinds) {
        if other.isRefuted { isRefuted = true }
        if other.hasDecimalCommas {
            noteDecimalComma()
        } else if hasDecimalCommas, other.kinds.contains(.commaNumber) {
            isRefuted = true
        }
        for column in kinds.indices where other.kinds[column] != .unknown {
            // Two workers that started from the same kinds and differ have packed cells two ways.
            widen(column, to: other.kinds[column])
        }
    }

    mutating func forgetRefutations() { isRefuted = false }
}
