import Arguments
import Spelling

/// A verb of `covey`: one file, and one line in `Verbs.swift`.
protocol Verb: SendableMetatype {
    static var name: String { get }
    /// One line for the list of verbs.
    static var summary: String { get }
    /// The command to type, without `covey`.
    static var usage: String { get }
    /// Two commands that can be typed as they are, without `covey`.
    static var examples: [String] { get }
    static var syntax: VerbSyntax { get }
    /// Whether the verb only prints, and a lot: then it ends when nothing can be printed any more.
    static var onlyPrints: Bool { get }
    /// The exit code of its errors, except for those of the command line.
    static var failure: ExitCode { get }

    /// Runs the verb. Throws errors that are shown to the user.
    static func run(_ arguments: ParsedArguments, console: Console) throws
}

extension Verb {
    static var onlyPrints: Bool { false }
    static var failure: ExitCode { .badData }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// What a verb is to do, which its first word names.
    init(firstOf arguments: ParsedArguments, of verb: String) throws(UsageError) {
        let word = arguments.operands[0]
        if let value = Self(rawValue: word) {
            self = value
            return
        }
        let words = Self.allCases.map(\.rawValue)
        throw .contradiction(
            "covey \(verb) does not know \(word)",
            remedy: words.nearest(to: word).map { "did you mean \($0)?" }
                ?? "it knows " + words.joined(separator: ", "))
    }
}
