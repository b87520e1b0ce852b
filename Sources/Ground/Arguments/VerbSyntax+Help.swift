/// How much a help page shows.
public enum HelpExtent: Sendable {
    /// What most command lines need; it fits a screen.
    case screen
    case all
}

extension ProgramSyntax.Verb {
    /// The number of lines that every terminal shows.
    static let screenLines = 24

    /// The help page of the verb; one that fits a screen as a whole is never cut.
    public func help(of program: String, _ extent: HelpExtent) -> String {
        let whole = page(of: program, syntax.help())
        let lines = whole.split(separator: "\n", omittingEmptySubsequences: false).count
        guard extent == .screen, !syntax.common.isEmpty, lines > Self.screenLines else {
            return whole
        }
        let more = "\(program) \(name) --help=all shows all \(syntax.options.count) options."
        return page(of: program, syntax.commonHelp()) + "\n\n" + more
    }

    private func page(of program: String, _ options: String) -> String {
        """
        \(program) \(name): \(summary)

        usage: \(program) \(usage)

        \(options)

        examples:
        \(examples.map { "  \(program) \($0)" }.joined(separator: "\n"))
        """
    }
}

extension VerbSyntax {
    /// The list of operands and options, wrapped at 80 columns.
    public func help() -> String {
        var sections: [String] = []
        if !operands.isEmpty {
            let entries = operands.map { ($0.name, $0.help) }
            sections.append(HelpTable(title: "arguments", entries).text)
        }
        for group in groups {
            let entries = group.options.map { ($0.spelling, $0.explanation) }
            let example = group.example.map { ["  e.g. \($0)"] } ?? []
            sections.append(
                ([HelpTable(title: group.title, entries).text] + example).joined(separator: "\n"))
        }
        return sections.joined(separator: "\n\n")
    }

    /// The operands and the common options, each with the first clause of its help.
    func commonHelp() -> String {
        let chosen = common.compactMap { name in options.first { $0.name == name } }
        let entries =
            operands.map { ($0.name, $0.help) }
            + chosen.map { ($0.spelling, $0.explanation.firstClause) }
        return HelpTable(title: nil, entries).text
    }
}

extension String {
    /// The text before the first semicolon.
    fileprivate var firstClause: String {
        split(separator: "; ", maxSplits: 1).first.map(String.init) ?? self
    }
}

/// Names on the left and their explanations on the right, in 80 columns.
struct HelpTable {
    private let title: String?
    private let entries: [(name: String, help: String)]
    private static let column = 30

    init(title: String?, _ entries: [(name: String, help: String)]) {
        self.title = title
        self.entries = entries
    }

    var text: String {
        var lines = title.map { ["\($0):"] } ?? []
        for entry in entries {
            let name = "  " + entry.name
            var wrapped = Self.wrap(entry.help, width: 80 - Self.column)[...]
            if name.count < Self.column, let first = wrapped.popFirst() {
                lines.append(name + Self.spaces(Self.column - name.count) + first)
            } else {
                lines.append(name)
            }
            lines += wrapped.map { Self.spaces(Self.column) + $0 }
        }
        return lines.joined(separator: "\n")
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    static func wrap(_ text: String, width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + word.count + 1 > width, lines[lines.count - 1] != "" {
                lines.append("")
            }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines
    }
}
