import Arguments
import Spelling

/// `covey help [VERB]`.
enum HelpVerb: Verb {
    static let name = "help"
    static let summary = "shows how a verb is used"
    static let usage = "help [VERB] [--all] | help tippecanoe | help --man"
    static let examples = ["help build --all", "help --man > covey.1"]

    private static let all = Option<Bool>(
        flag: "all", "all options of the verb, not only the common ones")
    private static let manual = Option<Bool>(flag: "man", "the manual page of all verbs, as roff")
    private static let markdown = Option<Bool>(
        flag: "markdown", "the options of all verbs, or the phrasebook, as tables")

    static let syntax = VerbSyntax(
        operands: [
            .init(
                "VERB",
                "the verb to explain, or tippecanoe for covey's equivalents of its options; none lists "
                    + "the verbs", count: 0...1)
        ],
        groups: [
            .init("what is shown", all, manual, markdown)
        ])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let word = arguments.operands.first
        if arguments[manual] {
            console.print(Program.syntax.manualPage)
        } else if word == Tippecanoe.phrasebook.program {
            console.print(
                arguments[markdown] ? Tippecanoe.phrasebook.markdown : Tippecanoe.phrasebook.text)
        } else if arguments[markdown] {
            console.print(Program.syntax.markdown)
        } else if let word {
            guard let verb = verb(named: word) else { throw UsageError.unknownVerb(near: word) }
            console.print(verb.helpText(arguments[all] ? .all : .screen))
        } else {
            console.print(overview)
        }
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
            New here? covey demo makes a map and opens it.
            """
    }
}

extension Verb {
    static func helpText(_ extent: HelpExtent) -> String {
        description.help(of: "covey", extent)
    }
}

extension UsageError {
    static func unknownVerb(near word: String) -> UsageError {
        let words = verbs.map { $0.name } + ["--version", "--help"]
        return .unknownVerb(word, nearest: words.nearest(to: word))
    }
}
