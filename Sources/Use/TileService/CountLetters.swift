import JSON

/// How a language abbreviates large numbers: 1,2 Tsd., 1.2万.
public struct CountLetters: Sendable {
    let language: String
    /// The power of ten from which each unit is used, and the text after the number.
    private let letters: [(power: Int, text: String)]

    public init?(language: String) {
        guard let row = Self.table.first(where: { $0.language == language }) else { return nil }
        self.language = language
        letters = row.letters
    }

    /// Whether Covey's own font lacks some of the letters, and maps do not draw them by themselves,
    /// as they do Chinese, Japanese and Korean ones.
    public var needsGlyphs: Bool {
        letters.contains { $0.text.unicodeScalars.contains { (0x200..<0x1100).contains($0.value) } }
    }

    public static var languages: [String] { table.map(\.language) }

    /// A space at which lines are not broken.
    private static let gap = "\u{A0}"

    private static let table: [(language: String, letters: [(power: Int, text: String)])] = [
        ("cs", thousands(gap + "tis.", gap + "mil.", gap + "mld.")),
        ("da", thousands(gap + "t", gap + "mio.", gap + "mia.")),
        ("de", thousands(gap + "Tsd.", gap + "Mio.", gap + "Mrd.")),
        ("en", thousands("K", "M", "B")),
        ("es", [(3, gap + "mil"), (6, gap + "M"), (12, gap + "B")]),
        ("fi", thousands(gap + "t.", gap + "milj.", gap + "mrd.")),
        ("fr", thousands(gap + "k", gap + "M", gap + "Md")),
        ("it", [(6, gap + "Mln"), (9, gap + "Mrd")]),
        ("ja", [(4, "万"), (8, "億"), (12, "兆")]),
        ("ko", [(3, "천"), (4, "만"), (8, "억"), (12, "조")]),
        ("nl", thousands("K", gap + "mln.", gap + "mld.")),
        ("no", thousands("k", gap + "mill.", gap + "mrd.")),
        ("pl", thousands(gap + "tys.", gap + "mln", gap + "mld")),
        ("pt", thousands(gap + "mil", gap + "mi", gap + "bi")),
        ("ru", thousands(gap + "тыс.", gap + "млн", gap + "млрд")),
        ("sv", thousands(gap + "tn", gap + "mn", gap + "md")),
        ("tr", thousands(gap + "B", gap + "Mn", gap + "Mr")),
        ("uk", thousands(gap + "тис.", gap + "млн", gap + "млрд")),
        ("zh", [(4, "万"), (8, "亿"), (12, "万亿")]),
        ("zh-TW", [(4, "萬"), (8, "億"), (12, "兆")]),
    ]

    private static func thousands(_ texts: String...) -> [(power: Int, text: String)] {
        texts.enumerated().map { (power: 3 * $0 + 3, text: $1) }
    }

    /// The number as a text: with one decimal below ten units, otherwise without decimals.
    func expression(of count: JSONValue) -> JSONValue {
        let value: JSONValue = ["var", "count"]
        func written(_ power: Int, digits: Int) -> JSONValue {
            let unit = JSONValue(canonical: Self.power(power - digits))
            let scale = JSONValue(canonical: Self.power(digits))
            let rounded: JSONValue = ["/", ["round", ["/", value, unit]], scale]
            return [
                "number-format", power == 0 ? value : rounded,
                ["locale": .string(language), "max-fraction-digits": .integer(Int64(digits))],
            ]
        }
        // A number that rounds up to a unit is written in that unit.
        let starts = letters.indices.map { index in
            let smaller = index > 0 ? Self.power(letters[index - 1].power) : 0
            return max(Self.power(letters[index].power) - smaller / 2, 9.95 * smaller)
        }
        var steps: [JSONValue] = []
        for (index, (power, text)) in letters.enumerated() {
            let whole = 9.95 * Self.power(power)
            let end = index + 1 < starts.count ? starts[index + 1] : .infinity
            steps += [
                JSONValue(canonical: starts[index]),
                ["concat", written(power, digits: 1), .string(text)],
            ]
            guard whole < end else { continue }
            steps += [
                JSONValue(canonical: whole), ["concat", written(power, digits: 0), .string(text)],
            ]
        }
        return ["let", "count", count, .array(["step", value, written(0, digits: 0)] + steps)]
    }

    private static func power(_ power: Int) -> Double {
        (0..<power).reduce(1) { product, _ in 10 * product }
    }
}
