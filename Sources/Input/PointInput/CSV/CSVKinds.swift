/// The kinds of a table's columns, as far as their values have been seen.
///
/// A column is of numbers or of truth values only if all its cells are; otherwise it is text. A code with a
/// leading zero, `007`, is not a number here, nor is one too great to be held: `12e4567` is a code, too.
struct CSVKinds: Sendable, Equatable {
    /// How a column's cells are packed.
    enum Kind: Sendable { case unknown, number, bool, text }

    /// What cells look like.
    struct Cells: OptionSet, Sendable {
        let rawValue: UInt8

        /// A number without a dot; with any dot, as long as the table has no decimal commas.
        static let number = Cells(rawValue: 1)
        /// A number whose dot is a decimal one: `1.5`, `0.125`.
        static let decimal = Cells(rawValue: 2)
        /// A number whose dot may be a decimal one or group thousands: `1.234`.
        static let grouped = Cells(rawValue: 4)
        /// `1.234.567`.
        static let groups = Cells(rawValue: 8)
        /// A number with a decimal comma.
        static let comma = Cells(rawValue: 16)
        static let bool = Cells(rawValue: 32)
        static let text = Cells(rawValue: 64)
    }

    /// All that the cells of each column look like; a column that stays text has `.text` alone.
    private(set) var seen: [Cells]
    /// Whether some cells of a column were packed as a kind that was refuted later.
    private(set) var isRefuted = false
    /// Whether a coordinate has a decimal comma.
    private(set) var hasDecimalCommas = false
    /// The number of changes of a column's kind.
    private(set) var changeCount = 0

    init(count: Int) { seen = [Cells](repeating: [], count: count) }

    @inline(__always)
    subscript(column: Int) -> Kind { kind(of: seen[column]) }

    /// Whether no further cell can change the kind.
    func isSettled(_ column: Int) -> Bool { seen[column] == .text }

    private func kind(of cells: Cells) -> Kind {
        if cells.isEmpty { return .unknown }
        if cells == .bool { return .bool }
        if !cells.isDisjoint(with: [.bool, .text, .groups]) { return .text }
        guard hasDecimalCommas else { return cells.contains(.comma) ? .text : .number }
        return mayBeGrouped(cells) ? .text : .number
    }

    /// Whether dots group thousands, or may do so: a number that is wrong by a factor of 1000 is worse than a text.
    private func mayBeGrouped(_ cells: Cells) -> Bool {
        hasDecimalCommas && !cells.contains(.text)
            && (cells.contains(.groups) || cells.contains(.grouped) && !cells.contains(.decimal))
    }

    /// The columns of texts that are numbers if dots in them group thousands.
    var groupedColumns: [Int] { seen.indices.filter { mayBeGrouped(seen[$0]) } }

    /// Records what a cell looks like, or all cells that another worker has seen.
    mutating func see(_ cells: Cells, in column: Int) {
        let before = seen[column]
        guard !before.isSuperset(of: cells) else { return }
        var all = before.union(cells)
        if all.contains(.text) || all.contains(.bool) && all != .bool { all = .text }
        seen[column] = all
        let kind = kind(of: all)
        guard kind != self.kind(of: before) else { return }
        changeCount += 1
        if !before.isEmpty { isRefuted = true }
    }

    /// Records that commas are decimal: then numbers with commas are no texts, and dots get a closer look.
    mutating func noteDecimalComma() {
        if !hasDecimalCommas { (hasDecimalCommas, isRefuted) = (true, true) }
    }

    /// Adds the kinds that another worker found in the same table.
    mutating func add(_ other: CSVKinds) {
        if other.isRefuted || hasDecimalCommas != other.hasDecimalCommas { isRefuted = true }
        if other.hasDecimalCommas { hasDecimalCommas = true }
        for (column, cells) in other.seen.enumerated() where !cells.isEmpty {
            see(cells, in: column)
            // Two workers that started with the same kinds and now differ have packed cells differently.
            if kind(of: cells) != self[column] { isRefuted = true }
        }
    }

    mutating func forgetRefutations() { isRefuted = false }
}
