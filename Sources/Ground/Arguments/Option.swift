/// An option, or a list of them: what a group of a verb's options is made of.
public protocol OptionDeclaring {
    var declarations: [OptionDeclaration] { get }
}

extension Option: OptionDeclaring {
    public var declarations: [OptionDeclaration] { [declaration] }
}

extension [OptionDeclaration]: OptionDeclaring {
    public var declarations: [OptionDeclaration] { self }
}

/// An option of a verb, typed by the value that its text is read as. It is declared once and is also the key of its value.
///
///     let radius = Option("cluster-radius", "PIXELS", "points closer than this form a cluster", default: 50.0)
///     let arguments = try syntax.parse(words)
///     arguments[radius]  // Double
public struct Option<Value: Sendable>: Sendable {
    public let declaration: OptionDeclaration
    let read: @Sendable (_ texts: [String]) throws(ValueError) -> Value

    /// An option with one value and a default.
    public init(
        _ name: String, short: Character? = nil, _ placeholder: String, _ help: String,
        default value: Value
    ) where Value: ArgumentValue {
        declaration = OptionDeclaration(
            name: name, short: short, placeholder: placeholder, help: help,
            defaultText: Self.text(of: value), choices: Self.words, takes: .value,
            check: Self.check)
        read = { texts throws(ValueError) in
            guard let text = texts.last else { return value }
            return try Value(argument: text)
        }
    }

    /// An option with one value that may be absent.
    public init<Wrapped: ArgumentValue>(
        _ name: String, short: Character? = nil, _ placeholder: String, _ help: String
    ) where Value == Wrapped? {
        declaration = OptionDeclaration(
            name: name, short: short, placeholder: placeholder, help: help,
            choices: Option<Wrapped>.words, takes: .value, check: Option<Wrapped>.check)
        read = { texts throws(ValueError) in
            guard let text = texts.last else { return nil }
            return try Wrapped(argument: text)
        }
    }

    /// An option that may be given any number of times.
    public init<Element: ArgumentValue>(
        repeated name: String, short: Character? = nil, _ placeholder: String, _ help: String
    ) where Value == [Element] {
        declaration = OptionDeclaration(
            name: name, short: short, placeholder: placeholder, help: help, repeats: true,
            choices: Option<Element>.words, takes: .value, check: Option<Element>.check)
        read = { texts throws(ValueError) in
            var elements: [Element] = []
            for text in texts { elements.append(try Element(argument: text)) }
            return elements
        }
    }

    /// An option whose words are checked and understood elsewhere.
    /// - Parameter choices: the words it accepts, which a shell may complete.
    public init(
        words name: String, _ placeholder: String, _ help: String, takes form: WordsForm,
        choices: [String] = [],
        check: @escaping @Sendable (String) throws(ValueError) -> Void
    ) where Value == [String] {
        declaration = OptionDeclaration(
            name: name, placeholder: placeholder, help: help, repeats: form == .repeatedValue,
            choices: choices,
            takes: form == .nothing ? .nothing : form == .valueOrNothing ? .valueOrNothing : .value,
            check: check)
        read = { texts in texts }
    }

    /// A switch.
    public init(flag name: String, short: Character? = nil, _ help: String) where Value == Bool {
        declaration = OptionDeclaration(name: name, short: short, help: help, takes: .nothing)
        read = { texts in !texts.isEmpty }
    }
}

extension Option where Value: ArgumentValue {
    @Sendable
    fileprivate static func check(_ text: String) throws(ValueError) {
        _ = try Value(argument: text)
    }

    fileprivate static var words: [String] { (Value.self as? any ArgumentChoice.Type)?.words ?? [] }

    /// A default as people write it: 50, not 50.0.
    fileprivate static func text(of value: Value) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// How an option of words takes them.
public enum WordsForm: Sendable { case nothing, value, valueOrNothing, repeatedValue }
