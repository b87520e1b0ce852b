/// The options of another program that people are used to, and what each one is here.
public struct Phrasebook: Sendable {
    /// The program that has these options.
    public let program: String
    public let phrases: [Phrase]

    public init(of program: String, _ phrases: [Phrase]) {
        self.program = program
        self.phrases = phrases
    }

    /// The option that a word names: `--name` or `-n`.
    func phrase(spelled word: String) -> Phrase? {
        phrases.first { phrase in
            word == "--\(phrase.name)" || phrase.short.map { word == "-\($0)" } ?? false
        }
    }

    /// Whether a short option groups others, each a letter of its value, like `-p` in `-pk`.
    func hasDrawer(_ letter: Character) -> Bool {
        phrases.contains { $0.drawer?.first == letter }
    }

    /// The option in such a group: `pk`.
    func phrase(inDrawer letters: String) -> Phrase? {
        phrases.first { $0.drawer == letters }
    }
}

/// An option of another program.
public struct Phrase: Sendable {
    /// How the option is answered.
    public enum Answer: Equatable, Sendable {
        /// It means the same here: these words replace it.
        case works([String])
        /// These words replace it, and a note says how they differ, or why it changes nothing.
        case noted([String], because: String)
        /// These words say it here, and a reason tells why it is not accepted as written.
        case instead(String, because: String)
        /// It does not exist here, for a reason.
        case nothing(because: String)
    }

    public let name: String
    public let short: Character?
    /// The letters that name it within a group: `pk`.
    public let drawer: String?
    /// The placeholder of its value; empty for a switch.
    public let placeholder: String
    /// The answer for a value; a page shows the answer for the placeholder.
    public let answer: @Sendable (_ value: String) -> Answer

    public init(
        _ name: String, short: Character? = nil, drawer: String? = nil, _ placeholder: String = "",
        answer: @escaping @Sendable (_ value: String) -> Answer
    ) {
        self.name = name
        self.short = short
        self.drawer = drawer
        self.placeholder = placeholder
        self.answer = answer
    }

    public var takesValue: Bool { !placeholder.isEmpty }

    /// The answer for the option, whatever its value.
    public var generalAnswer: Answer { answer(placeholder) }

    /// All ways to write it, as a page shows them: `-z`, `--maximum-zoom`.
    public var spellings: [String] {
        [short.map { "-\($0)" }, drawer.map { "-\($0)" }, "--\(name)"].compactMap(\.self)
    }
}

extension Phrase.Answer {
    /// The advice below the line that names the option.
    var advice: String {
        switch self {
        case .works(let words): "write \(words.joined(separator: " "))"
        case .noted([], let reason): "leave it out: \(reason)"
        case .noted(let words, let reason): "write \(words.joined(separator: " ")): \(reason)"
        case .instead(let words, let reason): "write \(words): \(reason)"
        case .nothing(let reason): "leave it out: \(reason)"
        }
    }
}

extension Phrase.Answer {
    /// The words that replace it; nil if it does not work here.
    var words: [String]? {
        switch self {
        case .works(let words), .noted(let words, _): words
        case .instead, .nothing: nil
        }
    }

    /// The note on an option that works, if it has one.
    func note(on written: String) -> String? {
        switch self {
        case .noted([], let reason): "\(written) changes nothing here: \(reason)"
        case .noted(let words, let reason):
            "\(written) is read as \(words.joined(separator: " ")): \(reason)"
        case .works, .instead, .nothing: nil
        }
    }
}

extension Phrasebook {
    /// The phrasebook as text for a terminal.
    public var text: String {
        let entries = phrases.map { phrase in
            let value = phrase.takesValue ? " \(phrase.placeholder)" : ""
            return (phrase.spellings.joined(separator: ", ") + value, phrase.generalAnswer.summary)
        }
        return HelpTable(title: "\(program), and what it is here", entries).text
    }
}

extension Phrase.Answer {
    fileprivate var summary: String {
        switch self {
        case .works([]): "accepted: always so here"
        case .works(let words): "read as \(words.joined(separator: " "))"
        case .noted([], let reason): "accepted, changes nothing: \(reason)"
        case .noted(let words, let reason):
            "read as \(words.joined(separator: " ")): \(reason)"
        case .instead(let words, let reason): "\(words): \(reason)"
        case .nothing(let reason): "no equivalent: \(reason)"
        }
    }
}
