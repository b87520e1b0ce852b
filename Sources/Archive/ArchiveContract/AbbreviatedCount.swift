/// A count as a marker shows it: 999, 1k, 1.2k, 10k, 1.2M.
///
/// Two digits below ten of a unit, none after the decimal point from there on; halves round up. Up to 999,499
/// this is what Supercluster writes.
public struct AbbreviatedCount: Sendable {
    public let text: String

    /// The letters after the digits.
    public enum Letters: String, CaseIterable, Sendable {
        /// `4k`, as Supercluster writes it.
        case small = "k"
        /// `4K`, as Azure Maps writes it.
        case large = "K"
        /// All digits instead: `4321`.
        case none
    }

    public init(_ count: UInt64, _ letters: Letters = .small) {
        let thousand = letters.rawValue
        switch count {
        case _ where letters == .none: text = "\(count)"
        case ..<1_000: text = "\(count)"
        case ..<9_950: text = Self.tenths(count, of: 1_000, thousand)
        case ..<999_500: text = "\((count + 500) / 1_000)\(thousand)"
        case ..<9_950_000: text = Self.tenths(count, of: 1_000_000, "M")
        case ..<999_500_000: text = "\((count + 500_000) / 1_000_000)M"
        case ..<9_950_000_000: text = Self.tenths(count, of: 1_000_000_000, "G")
        default: text = "\((count + 500_000_000) / 1_000_000_000)G"
        }
    }

    private static func tenths(_ count: UInt64, of unit: UInt64, _ letter: String) -> String {
        let tenths = (count * 10 + unit / 2) / unit
        return tenths % 10 == 0
            ? "\(tenths / 10)\(letter)" : "\(tenths / 10).\(tenths % 10)\(letter)"
    }
}
