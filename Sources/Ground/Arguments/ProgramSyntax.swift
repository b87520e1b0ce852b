/// A program with its verbs: what its manual page, the completions of shells and the pages of options
/// are made from.
public struct ProgramSyntax: Sendable {
    public struct Verb: Sendable {
        let name: String
        let summary: String
        /// The lines to type, without the program's name before the first.
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
    /// What it is, in a line that could follow a dash.
    let summary: String
    /// What a manual page tells before it comes to the verbs, a paragraph each.
    let description: [String]
    /// What the exit codes say.
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
    /// The words that it may be, where it is called by them: `check|show`.
    var choices: [String] {
        name.contains("|") ? name.split(separator: "|").map(String.init) : []
    }

    var isFile: Bool { ["FILE", "INPUT", "PATH", "IN", "OUT", "ARCHIVE", "A", "B"].contains(name) }
}
