// The manual page, in the language of man(7).
extension ProgramSyntax {
    /// The page of section 1.
    public var manualPage: String {
        var lines = [
            ".TH \(name.uppercased()) 1 \"\" \"\(name) \(version)\"",
            ".SH NAME", "\(name) \\- \(Roff.text(summary))",
            ".SH SYNOPSIS", ".B \(name)", ".I VERB", "[\\fIoptions\\fR] \\fIarguments\\fR",
            ".SH DESCRIPTION",
        ]
        lines += description.flatMap { [".PP", Roff.text($0)] }
        for verb in verbs { lines += Self.section(of: verb, program: name) }
        lines.append(".SH EXIT STATUS")
        for status in exitCodes { lines += Roff.item("\(status.code)", status.meaning) }
        lines.append(".SH SEE ALSO")
        lines.append(Roff.text("\(name) help VERB, \(name) VERB --help=all"))
        return lines.joined(separator: "\n")
    }

    private static func section(of verb: Verb, program: String) -> [String] {
        var lines = [
            ".SH \(program.uppercased()) \(verb.name.uppercased())", Roff.text(verb.summary) + ".",
            ".PP", ".nf", ".B \(Roff.text("\(program) \(verb.usage)", lines: true))", ".fi",
        ]
        for operand in verb.syntax.operands { lines += Roff.item(operand.name, operand.help) }
        for group in verb.syntax.groups {
            lines.append(".SS \(Roff.text(group.title))")
            for option in group.options { lines += Roff.item(option.spelling, option.explanation) }
            if let example = group.example {
                lines += [".PP", "For instance:", Roff.text(example)]
            }
        }
        lines += [".SS Examples", ".nf"]
        lines += verb.examples.map { Roff.text("\(program) \($0)") }
        return lines + [".fi"]
    }
}

/// Escapes text that roff would take for a request or a control character.
private enum Roff {
    static func text(_ text: String, lines: Bool = false) -> String {
        let escaped = text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            default: "\(character)"
            }
        }.joined()
        guard lines else { return guarded(escaped) }
        return escaped.split(separator: "\n").map { guarded(String($0)) }
            .joined(separator: "\n.br\n.B ")
    }

    /// Guards a line that begins with a dot or a quote, which would be a request.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("\\(aq") ? "\\&" + line : line
    }

    static func item(_ name: String, _ help: String) -> [String] {
        [".TP", "\\fB\(text(name))\\fR", text(help)]
    }
}
