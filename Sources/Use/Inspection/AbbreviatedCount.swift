import ArchiveContract

extension Span<UInt8> {
    /// Whether a text such as 999, 1k, 1.2k or 3M is `count` rounded to the text's precision,
    /// written with those letters.
    package func abbreviates(
        _ count: Int64, _ letters: AbbreviatedCount.Letters = .small
    ) -> Bool {
        var number: Int64 = 0
        var decimals: Int64?
        var index = 0
        while index < self.count, index < 12 {
            switch self[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = number * 10 + Int64(self[index] - UInt8(ascii: "0"))
                if let counted = decimals { decimals = counted + 1 }
            case UInt8(ascii: ".") where decimals == nil: decimals = 0
            default:
                return index == self.count - 1 && index > 0
                    && letters.unit(self[index]).map {
                        Self.rounds(count, to: number, decimals ?? 0, unit: $0)
                    } ?? false
            }
            index += 1
        }
        return index == self.count && index > 0 && decimals == nil && number == count
            && (letters == .none || count < 1_000)
    }

    private static func rounds(
        _ count: Int64, to number: Int64, _ decimals: Int64, unit: Int64
    ) -> Bool {
        var step = unit
        for _ in 0..<Swift.min(decimals, 9) { step /= 10 }
        let (rounded, isTooLarge) = number.multipliedReportingOverflow(by: step)
        return step > 0 && !isTooLarge && rounded >= 0
            && 2 * (rounded - count).magnitude <= step.magnitude
    }
}

extension AbbreviatedCount.Letters {
    /// The value of a letter; nil if it is not one of these.
    fileprivate func unit(_ letter: UInt8) -> Int64? {
        switch (letter, self) {
        case (_, .none): nil
        case (UInt8(ascii: "k"), .small), (UInt8(ascii: "K"), .large): 1_000
        case (UInt8(ascii: "M"), _): 1_000_000
        case (UInt8(ascii: "G"), _): 1_000_000_000
        default: nil
        }
    }
}
