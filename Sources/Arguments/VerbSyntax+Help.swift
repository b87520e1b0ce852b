extension VerbSyntax {
    /// The help page's list of operands and options, wrapped at 80 columns.
    public func help(indent: String = "  ") -> String {
        var sections: [String] = []
        if !operands.isEmpty {
            let entries = operands.map { ($0.name, $0.help) }
            sections.append(Self.table(title: "arguments", entries: entries, indent: indent))
        }
        for group in groups {
            let entries = group.options.map { option in
                let value = option.defaultText.map { " (default \($0))" } ?? ""
                let repeats = option.repeats ? " (may be repeated)" : ""
                return (option.spelling, option.help + value + repeats)
            }
            sections.append(Self.table(title: group.title, entries: entries, indent: indent))
        }
        return sections.joined(separator: "\n\n")
    }

    private static func table(
        title: String, entries: [(name: String, help: String)], indent: String
    ) -> String {
        let column = 30
        var lines = ["\(title):"]
        for entry in entries {
            let name = indent + entry.name
            var wrapped = wrap(entry.help, width: 80 - column)[...]
            if name.count < column, let first = wrapped.popFirst() {
                lines.append(name + String(repeating: " ", count: column - name.count) + first)
            } else {
                lines.append(name)
            }
            lines += wrapped.map { String(repeating: " ", count: column) + $0 }
        }
        return lines.joined(separator: "\n")
    }

    private static func wrap(_ text: String, width: Int) -> [String] {
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
