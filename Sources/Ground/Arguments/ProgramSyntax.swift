/// A program with its verbs: the source of its manual page, of shell completions and of the pages
/// of options.
public struct ProgramSyntax: Sendable {
    public struct Verb: Sendable {
        let name: String
        let summary: String
        /// The lines to type; the program's name is missing before the first.
        let usage: String
        let examples: [String]
        let syntax: VerbSyntax

        public init(
            _ name: String, summary: String, usage: String, examples: [String], syntax: VerbSyntax
        ) {
            self.name = name
            self.summary = summary
            self.usage = usage
            self.examples = examples
            self.syntax = syntax
        }
    }

    let name: String
    let version: String
    /// The program in one line, to follow a dash.
    let summary: String
    /// The manual page's text before the verbs, one paragraph each.
    let description: [String]
    /// The meanings of the exit codes.
    let exitCodes: [(code: Int, meaning: String)]
    let verbs: [Verb]

    public init(
        _ name: String, version: String, summary: String, description: [String],
        exitCodes: [(code: Int, meaning: String)], verbs: [Verb]
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.description = description
        self.exitCodes = exitCodes
        self.verbs = verbs
    }
}

extension VerbSyntax.Operand {
    /// The words that the verb may be, if it is called by several: `check|show`.
    var choices: [String] {
        name.contains("|") ? name.split(separator: "|").map(String.init) : []
    }

    var isFile: Bool { ["FILE", "INPUT", "PATH", "IN", "OUT", "ARCHIVE", "A", "B"].contains(name) }
}
