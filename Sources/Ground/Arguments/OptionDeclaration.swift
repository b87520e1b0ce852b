/// What a parser and a help page know about an option, whatever its type.
public struct OptionDeclaration: Sendable {
    enum Takes { case nothing, value, valueOrNothing }

    /// The long name, without dashes.
    public let name: String
    let short: Character?
    let placeholder: String
    let help: String
    let defaultText: String?
    let repeats: Bool
    /// The words that can be its value, if it takes only certain words.
    let choices: [String]
    let takes: Takes
    let check: @Sendable (String) throws(ValueError) -> Void

    init(
        name: String, short: Character? = nil, placeholder: String = "", help: String,
        defaultText: String? = nil, repeats: Bool = false, choices: [String] = [], takes: Takes,
        check: @escaping @Sendable (String) throws(ValueError) -> Void = { _ in }
    ) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.help = help
        self.defaultText = defaultText
        self.repeats = repeats
        self.choices = choices
        self.takes = takes
        self.check = check
    }

    /// The option as a help page shows it: `-o, --output FILE`.
    var spelling: String { (short.map { "-\($0), " } ?? "") + longSpelling }

    /// The same without the short name.
    var longSpelling: String {
        switch takes {
        case .nothing: "--\(name)"
        case .value: "--\(name) \(placeholder)"
        case .valueOrNothing: "--\(name)[=\(placeholder)]"
        }
    }

    /// What the option does, with its default and whether it may be repeated.
    var explanation: String {
        let value = defaultText.map { " (default \($0))" } ?? ""
        return help + value + (repeats ? " (may be repeated)" : "")
    }

    /// Whether a shell completes file names after it.
    var takesFile: Bool {
        let words = ["FILE", "DIR", "OUT", "IN", "INPUT", "PATH", "DIR|URL"]
        return words.contains(placeholder) || placeholder.hasSuffix(".json")
    }
}
