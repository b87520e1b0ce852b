import Arguments
import Spelling

/// `covey help [VERB]`.
enum HelpVerb: Verb {
    static let name = "help"
    static let summary = "shows how a verb is used"
    static let usage = "help [VERB]"
    static let examples = ["help", "help build"]
    static let syntax = VerbSyntax(
        operands: [.init("VERB", "the verb to explain; none lists them all", count: 0...1)])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        guard let word = arguments.operands.first else {
            console.print(overview)
            return
        }
        guard let verb = verb(named: word) else { throw UsageError.unknownVerb(near: word) }
        console.print(verb.helpText)
    }

    static var overview: String {
        let width = verbs.map { $0.name.count }.max() ?? 0
        let lines = verbs.map { verb in
            let gap = String(repeating: " ", count: width - verb.name.count + 2)
            return "  \(verb.name)\(gap)\(verb.summary)"
        }
        return """
            covey bakes point clusters into vector tiles.

            usage: covey VERB …

            \(lines.joined(separator: "\n"))

            covey VERB --help shows a verb's options; covey --version the version.
            """
    }
}

extension UsageError {
    static func unknownVerb(near word: String) -> UsageError {
        .unknownVerb(word, nearest: verbs.map { $0.name }.nearest(to: word))
    }
}
