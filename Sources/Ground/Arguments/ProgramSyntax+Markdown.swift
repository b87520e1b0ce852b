// Tables of options for pages.
extension ProgramSyntax {
    /// All options of all verbs.
    public var markdown: String {
        verbs.map(\.markdown).joined(separator: "\n\n")
    }
}

extension ProgramSyntax.Verb {
    var markdown: String {
        var parts = ["## \(name)", summary.capitalizedFirst + "."]
        if !syntax.options.isEmpty {
            let rows = syntax.groups.flatMap { group in
                group.options.map { option in
                    "| \(group.title) | `\(option.spelling.cell)` | \(option.explanation.cell) |"
                }
            }
            parts.append((["| | option | |", "|---|---|---|"] + rows).joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }
}

extension Phrasebook {
    /// A table of what each option is here.
    public var markdown: String {
        let rows = phrases.map { phrase in
            let value = phrase.takesValue ? " \(phrase.placeholder)" : ""
            let spelled = phrase.spellings.map { "`\($0)`" }.joined(separator: ", ")
            let (words, reason) = phrase.generalAnswer.cells
            return "| \(spelled)\(value.cell) | \(words.cell) | \(reason.cell) |"
        }
        return (["| \(program) | here | |", "|---|---|---|"] + rows).joined(separator: "\n")
    }
}

extension Phrase.Answer {
    /// The words to use here, and the note about them.
    fileprivate var cells: (words: String, reason: String) {
        switch self {
        case .works([]): ("accepted", "always so here")
        case .works(let words): ("`\(words.joined(separator: " "))`", "the same; both are accepted")
        case .noted([], let reason): ("accepted", "changes nothing: \(reason)")
        case .noted(let words, let reason):
            ("`\(words.joined(separator: " "))`", "accepted; \(reason)")
        case .instead(let words, let reason): ("`\(words)`", reason)
        case .nothing(let reason): ("–", reason)
        }
    }
}

extension String {
    /// The text with pipes escaped, which would end a table's cell.
    fileprivate var cell: String { replacing("|", with: "\\|") }

    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
