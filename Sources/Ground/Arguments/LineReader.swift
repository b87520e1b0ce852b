/// Reads the words after a verb, and collects every error in them.
struct LineReader {
    private let syntax: VerbSyntax
    private var rest: ArraySlice<String>
    private(set) var parsed = ParsedArguments()
    private(set) var problems: [UsageError] = []

    init(_ words: [String], _ syntax: VerbSyntax) {
        self.syntax = syntax
        rest = words[...]
    }

    mutating func read() {
        while let word = rest.popFirst() {
            if word == "--" {
                parsed.operands += rest
                return
            }
            if word.isEmpty {
                problems.append(
                    .contradiction(
                        "a word of the line is empty",
                        remedy: "leave it out, or give the shell's variable a value"))
                continue
            }
            // A single dash stands for standard input.
            guard word.hasPrefix("-"), word.count > 1 else {
                parsed.operands.append(word)
                continue
            }
            do { try readOption(word) } catch { problems.append(error) }
        }
    }

    private mutating func readOption(_ word: String) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let spelled = String(parts[0])
        let value = parts.count > 1 ? String(parts[1]) : nil
        if word.hasPrefix("--") || spelled.count == 2 {
            return try read(spelled, value: value)
        }
        // One dash before a long name is a mistake, not a row of short names.
        if syntax.option(spelled: "-" + spelled) != nil {
            throw .unknownOption(spelled, nearest: "-" + spelled)
        }
        try readShort(word)
    }

    /// Reads `-oFILE`, `-z14` or `-fq`.
    private mutating func readShort(_ word: String) throws(UsageError) {
        let spelled = String(word.prefix(2))
        let more = String(word.dropFirst(2))
        if let option = syntax.option(spelled: spelled) {
            if option.takes == .value { return try read(spelled, value: more) }
            try read(spelled, value: nil)
        } else if let phrase = syntax.phrasebook?.phrase(spelled: spelled) {
            if phrase.takesValue { return try read(spelled, value: more) }
            try read(spelled, value: nil)
        } else {
            throw syntax.unknown(word)
        }
        try readOption("-" + more)
    }

    private mutating func read(_ spelled: String, value given: String?) throws(UsageError) {
        guard let option = syntax.option(spelled: spelled) else {
            return try readForeign(spelled, value: given)
        }
        var value = given
        switch option.takes {
        case .nothing:
            if let value { throw .unexpectedValue(option: spelled, value: value) }
        case .valueOrNothing:
            break
        case .value:
            value = value ?? rest.popFirst()
            // This is what a shell variable that is not set gives.
            if value ?? "" == "" {
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

    /// Reads an option of the phrasebook: it works like ours, or the error names ours.
    private mutating func readForeign(_ spelled: String, value given: String?) throws(UsageError) {
        guard let phrasebook = syntax.phrasebook,
            let phrase = phrasebook.phrase(spelled: spelled)
        else { throw syntax.unknown(spelled) }
        var value = given
        if phrase.takesValue {
            value = value ?? rest.popFirst()
            if value == nil {
                throw .missingValue(option: spelled, placeholder: phrase.placeholder)
            }
        } else if let value {
            throw .unexpectedValue(option: spelled, value: value)
        }
        if let short = phrase.short, phrasebook.hasDrawer(short) {
            return readDrawer("-\(short)", value ?? "")
        }
        try take(phrase, spelled: spelled, value: value)
    }

    private mutating func readDrawer(_ spelled: String, _ letters: String) {
        for letter in letters {
            let one = "\(spelled)\(letter)"
            guard let phrase = syntax.phrasebook?.phrase(inDrawer: String(one.dropFirst())) else {
                problems.append(.unknownOption(one, nearest: nil))
                continue
            }
            do { try take(phrase, spelled: one, value: nil) } catch { problems.append(error) }
        }
    }

    private mutating func take(
        _ phrase: Phrase, spelled: String, value: String?
    ) throws(UsageError) {
        let answer = phrase.answer(value ?? phrase.placeholder)
        let written = spelled + (value.map { " \($0)" } ?? "")
        guard let words = answer.words else {
            throw .foreignOption(written, of: syntax.phrasebook?.program ?? "", answer)
        }
        // What the verb does not have would be looked up here again, without end.
        let own = words.first?.split(separator: "=", maxSplits: 1).first.map(String.init)
        if let own, own.hasPrefix("-"), syntax.option(spelled: own) == nil {
            throw syntax.unknown(spelled)
        }
        parsed.notes += [answer.note(on: written)].compactMap(\.self)
        rest = words[...] + rest
    }
}
