/// What may follow a verb: its operands, and its options in groups.
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
        /// The end of an example command line.
        let example: String?

        public init(_ title: String, _ options: any OptionDeclaring..., example: String? = nil) {
            self.title = title
            self.options = options.flatMap(\.declarations)
            self.example = example
        }
    }

    /// The most words of an operand without a limit; a finite number, so that counts can be added.
    private static let mostWords = Int(Int32.max)

    let operands: [Operand]
    let groups: [Group]
    /// The names of the options that the short help shows, in its order; empty if it shows all.
    package let common: [String]
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

    package var options: [OptionDeclaration] { groups.flatMap(\.options) }

    /// Reads the words after the verb. Every value is checked here, before any work starts.
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

/// The result of reading a command line.
public struct ParsedArguments: Sendable {
    /// The words without dashes.
    public internal(set) var operands: [String] = []
    /// Notes about words that were taken for others.
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

    /// The names of those options that were given, in their order here.
    public func given(among options: [any OptionDeclaring]) -> [String] {
        options.flatMap(\.declarations).map(\.name).filter { texts[$0] != nil }
    }

    /// Refuses options that were given and have no effect on what is asked.
    public func refuse(
        idle options: [any OptionDeclaring], for asked: String
    ) throws(UsageError) {
        guard let idle = given(among: options).first else { return }
        throw .contradiction("--\(idle) has nothing to do with \(asked)", remedy: "leave it out")
    }
}
