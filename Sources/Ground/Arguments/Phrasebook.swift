/// The options of another program that people bring along in their fingers, and what each is here.
public struct Phrasebook: Sendable {
    /// The program whose options these are.
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

    /// Whether a short option is a drawer of others, each a letter of its value, as `-p` in `-pk`.
    func hasDrawer(_ letter: Character) -> Bool {
        phrases.contains { $0.drawer?.first == letter }
    }

    /// The option in a drawer: `pk`.
    func phrase(inDrawer letters: String) -> Phrase? {
        phrases.first { $0.drawer == letters }
    }
}

/// An option of another program.
public struct Phrase: Sendable {
    /// What becomes of it.
    public enum Answer: Equatable, Sendable {
        /// It means the same here, and works as if these words stood in its place.
        case works([String])
        /// It works likewise, and a note says why with these words, or why it changes nothing.
        case noted([String], because: String)
        /// It is said with these words here, and why it is not taken as it is.
        case instead(String, because: String)
        /// There is no such thing, for a reason.
        case nothing(because: String)
    }

    public let name: String
    public let short: Character?
    /// The letters by which it lies in a drawer: `pk`.
    public let drawer: String?
    /// What stands for its value; empty of a switch.
    public let placeholder: String
    /// The answer to its value; to the placeholder it is what a page shows.
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

    /// What the option is here, whatever its value.
    public var generalAnswer: Answer { answer(placeholder) }

    /// All ways to write it, as a page shows them: `-z`, `--maximum-zoom`.
    public var spellings: [String] {
        [short.map { "-\($0)" }, drawer.map { "-\($0)" }, "--\(name)"].compactMap(\.self)
    }
}

extension Phrase.Answer {
    /// The answer below the line that names the option.
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
    /// The words that it works as; nil if it does not work.
    var words: [String]? {
        switch self {
        case .works(let words), .noted(let words, _): words
        case .instead, .nothing: nil
        }
    }

    /// What is told of an option that works, if anything is.
    func note(on written: String) -> String? {
        switch self {
        case .noted([], let reason): "\(written) changes nothing here: \(reason)"
        case .noted(let words, let reason):
            "\(written) is taken as \(words.joined(separator: " ")): \(reason)"
        case .works, .instead, .nothing: nil
        }
    }
}

extension Phrasebook {
    /// The phrasebook as a page of a terminal.
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
        case .works([]): "taken: it is so in any case"
        case .works(let words): "taken as \(words.joined(separator: " "))"
        case .noted([], let reason): "taken, changes nothing: \(reason)"
        case .noted(let words, let reason):
            "taken as \(words.joined(separator: " ")): \(reason)"
        case .instead(let words, let reason): "\(words): \(reason)"
        case .nothing(let reason): "none: \(reason)"
        }
    }
}
