/// What a parser and a help page know of an option, whatever its type.
public struct OptionDeclaration: Sendable {
    enum Takes { case nothing, value, valueOrNothing }

    /// The long name, without dashes.
    public let name: String
    let short: Character?
    let placeholder: String
    let help: String
    let defaultText: String?
    let repeats: Bool
    let takes: Takes
    let check: @Sendable (String) throws(ValueError) -> Void

    init(
        name: String, short: Character? = nil, placeholder: String = "", help: String,
        defaultText: String? = nil, repeats: Bool = false, takes: Takes,
        check: @escaping @Sendable (String) throws(ValueError) -> Void = { _ in }
    ) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.help = help
        self.defaultText = defaultText
        self.repeats = repeats
        self.takes = takes
        self.check = check
    }

    /// The option as a help page shows it: `-o, --output FILE`.
    var spelling: String {
        let dashed = (short.map { "-\($0), " } ?? "") + "--\(name)"
        switch takes {
        case .nothing: return dashed
        case .value: return "\(dashed) \(placeholder)"
        case .valueOrNothing: return "\(dashed)[=\(placeholder)]"
        }
    }
}
