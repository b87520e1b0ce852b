import Spelling

// The error for a word that is not an option. A suggestion that does something else is worse than
// no suggestion.
extension VerbSyntax {
    func unknown(_ word: String) -> UsageError {
        let name = String(word.drop { $0 == "-" })
        // One letter is not a misspelled word.
        guard name.count > 1 else { return .unknownOption(word, nearest: nil) }
        let names = options.map(\.name)
        if let same = names.first(where: { Self.letters($0) == Self.letters(name) }) {
            return .unknownOption(word, nearest: "--\(same)")
        }
        for opposite in ["no-\(name)", String(name.trimmingPrefix("no-"))]
        where opposite != name && names.contains(opposite) {
            return .alreadySo(word, opposite: "--\(opposite)")
        }
        let near = names.allNearest(to: name).filter { !Self.isOther($0, than: name) }
        if !near.isEmpty { return .unknownOption(word, nearest: Self.list(near)) }
        if let phrasebook, let near = phrasebook.phrases.map(\.name).nearest(to: name),
            let phrase = phrasebook.phrase(spelled: "--\(near)"), !Self.isOther(near, than: name)
        {
            return .foreignOption(word, of: phrasebook.program, phrase.generalAnswer)
        }
        let longer = names.filter { "-\($0)-".contains("-\(name)-") }
        let isClear = (1...3).contains(longer.count) && name.count > 2
        return .unknownOption(word, nearest: isClear ? Self.list(longer) : nil)
    }

    private static func list(_ names: [String]) -> String {
        names.map { "--\($0)" }.joined(separator: " or ")
    }

    /// The letters of a name, without what people write differently: `clusterRadius` for `cluster-radius`.
    private static func letters(_ name: String) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// Words with opposite or unrelated meanings.
    private static let opposites: [Set<String>] = [
        ["min", "max"], ["minimum", "maximum"], ["include", "exclude"], ["x", "y", "z"],
    ]

    /// Whether two names differ by such words or by a `no-`, not by a typing error.
    private static func isOther(_ a: String, than b: String) -> Bool {
        if a.hasPrefix("no-") != b.hasPrefix("no-") { return true }
        let (a, b) = (a.split(separator: "-"), b.split(separator: "-"))
        guard a.count == b.count else { return false }
        return zip(a, b).contains { a, b in
            a != b && opposites.contains { $0.contains(String(a)) && $0.contains(String(b)) }
        }
    }
}
