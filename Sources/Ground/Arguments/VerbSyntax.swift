/// What may stand behind a verb: its operands, and its options in groups.
public struct VerbSyntax: Sendable {
    /// Words without dashes that a verb takes, in order.
    public struct Operand: Sendable {
        let name: String
        let help: String
        let count: ClosedRange<Int>

        /// - Parameter count: how many such words there may be.
        public init(_ name: String, _ help: String, count: ClosedRange<Int> = 1...1) {
            self.name = name
            self.help = help
            self.count = count
        }
    }

    public struct Group: Sendable {
        let title: String
        let options: [OptionDeclaration]
        /// The end of a line that shows them at work.
        let example: String?

        public init(_ title: String, _ options: [OptionDeclaration], example: String? = nil) {
            self.title = title
            self.options = options
            self.example = example
        }
    }

    /// More than a line can hold: operands without a limit can be added up.
    private static let mostWords = Int(Int32.max)

    let operands: [Operand]
    let groups: [Group]
    /// The names of the options that the short help shows, in its order; all where there are none.
    let common: [String]
    let phrasebook: Phrasebook?

    public init(
        operands: [Operand] = [], groups: [Group] = [], common: [String] = [],
        phrasebook: Phrasebook? = nil
    ) {
        self.operands = operands
        self.groups = groups
        self.common = common
        self.phrasebook = phrasebook
    }

    var options: [OptionDeclaration] { groups.flatMap(\.options) }

    /// Reads the words behind the verb; every value is checked here, before any work starts.
    public func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
        var reader = LineReader(words, self)
        reader.read()
        if reader.problems.count > 1 { throw .several(reader.problems) }
        if let problem = reader.problems.first { throw problem }
        try checkOperands(reader.parsed.operands)
        return reader.parsed
    }

    /// The option that a word names: `--name` or `-n`.
    func option(spelled word: String) -> OptionDeclaration? {
        options.first { option in
            word == "--\(option.name)" || option.short.map { word == "-\($0)" } ?? false
        }
    }

    private func checkOperands(_ words: [String]) throws(UsageError) {
        let least = operands.reduce(0) { $0 + $1.count.lowerBound }
        let most = operands.reduce(0) { $0 + min($1.count.upperBound, Self.mostWords) }
        if words.count < least {
            var index = words.count
            for operand in operands {
                if index < operand.count.lowerBound { throw .missingArgument(operand.name) }
                index -= operand.count.lowerBound
            }
        }
        if words.count > most { throw .extraArgument(words[most]) }
    }
}

/// What a command line said.
public struct ParsedArguments: Sendable {
    /// The words without dashes.
    public internal(set) var operands: [String] = []
    /// What is to be told of words that were taken for others.
    public internal(set) var notes: [String] = []
    var texts: [String: [String]] = [:]

    init() {}

    /// The value of an option, or its default.
    public subscript<Value>(option: Option<Value>) -> Value {
        do {
            return try option.read(texts[option.declaration.name] ?? [])
        } catch {
            preconditionFailure("--\(option.declaration.name) was not checked by its own syntax")
        }
    }

    /// Whether the option was given at all.
    public func has<Value>(_ option: Option<Value>) -> Bool {
        texts[option.declaration.name] != nil
    }
}

extension VerbSyntax {
    /// The long names of all options.
    public var optionNames: [String] { options.map(\.name) }

    /// Those of the options that the short help shows.
    public var commonNames: [String] { common }
}
