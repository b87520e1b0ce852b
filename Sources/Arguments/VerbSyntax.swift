import Spelling

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

        public init(_ title: String, _ options: [OptionDeclaration]) {
            self.title = title
            self.options = options
        }
    }

    let operands: [Operand]
    let groups: [Group]

    public init(operands: [Operand] = [], groups: [Group] = []) {
        self.operands = operands
        self.groups = groups
    }

    var options: [OptionDeclaration] { groups.flatMap(\.options) }

    /// Reads the words behind the verb; every value is checked here, before any work starts.
    public func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
        var parsed = ParsedArguments()
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                parsed.operands += rest
                break
            }
            // A single dash stands for standard input.
            guard word.hasPrefix("-"), word.count > 1 else {
                parsed.operands.append(word)
                continue
            }
            try readOption(word, rest: &rest, into: &parsed)
        }
        try checkOperands(parsed.operands)
        return parsed
    }

    private func readOption(
        _ word: String, rest: inout ArraySlice<String>, into parsed: inout ParsedArguments
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let spelled = String(parts[0])
        var value = parts.count > 1 ? String(parts[1]) : nil
        let option = try declaration(spelled: spelled)
        switch option.takes {
        case .nothing:
            if let value { throw .unexpectedValue(option: spelled, value: value) }
        case .valueOrNothing:
            break
        case .value:
            value = value ?? rest.popFirst()
            if value == nil {
                throw .missingValue(option: spelled, placeholder: option.placeholder)
            }
        }
        if let value {
            do { try option.check(value) } catch {
                throw .unreadableValue(option: spelled, value: value, expected: error.expected)
            }
        }
        if parsed.texts[option.name] != nil, !option.repeats, option.takes != .nothing {
            throw .repeatedOption(spelled)
        }
        parsed.texts[option.name, default: []].append(value ?? "")
    }

    private func declaration(spelled: String) throws(UsageError) -> OptionDeclaration {
        let found = options.first { option in
            spelled == "--\(option.name)" || option.short.map { spelled == "-\($0)" } ?? false
        }
        if let found { return found }
        throw .unknownOption(
            spelled, nearest: options.map { "--\($0.name)" }.nearest(to: spelled))
    }

    private func checkOperands(_ words: [String]) throws(UsageError) {
        let least = operands.reduce(0) { $0 + $1.count.lowerBound }
        let most = operands.reduce(0) {
            $0.addingReportingOverflow($1.count.upperBound).partialValue
        }
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
