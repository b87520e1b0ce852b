import Arguments

/// Something that `covey` does: one file, and one line in `Verbs.swift`.
protocol Verb: SendableMetatype {
    static var name: String { get }
    /// One line for the list of verbs.
    static var summary: String { get }
    /// The line to type, without `covey`.
    static var usage: String { get }
    /// Two lines that can be typed as they are, without `covey`.
    static var examples: [String] { get }
    static var syntax: VerbSyntax { get }
    /// Whether it only prints, and much: then it ends where nothing can be printed any more.
    static var onlyPrints: Bool { get }

    /// Does it. Throws what is to be told to the user; returns when all is well.
    static func run(_ arguments: ParsedArguments, console: Console) throws
}

extension Verb {
    static var onlyPrints: Bool { false }
}
