import Expressions
import JSON
import Testing

struct TextOrderTests {
    private static let texts = [
        "", "a", "ab", "b", "Z", "é", "e\u{301}", "z", "ß", "\u{7FF}", "\u{800}", "中", "\u{D7FF}",
        "\u{E000}", "\u{EFFF}", "\u{F000}", "\u{FFFD}", "😀", "😀a", "𝒳", "\u{10FFFF}", "a😀",
        "a\u{FFFD}",
    ]

    @Test func `texts are ordered as JavaScript orders them, by units of UTF-16`() throws {
        for a in Self.texts {
            for b in Self.texts {
                let isLess = a.utf16.lexicographicallyPrecedes(b.utf16)
                let isEqual = a.utf16.elementsEqual(b.utf16)
                for (name, expected) in [
                    ("<", isLess), ("<=", isLess || isEqual), (">", !isLess && !isEqual),
                    (">=", !isLess), ("==", isEqual), ("!=", !isEqual),
                ] {
                    let source = JSONValue.array([.string(name), .string(a), .string(b)])
                    let value = try TestFeature.cafe.value(of: source.text())
                    #expect(value == .bool(expected), "\(a) \(name) \(b)")
                }
            }
        }
    }
}
