import Arguments
import JSON
import Recipes

/// The command line's options for the keys of a recipe; each is made from a key.
enum RecipeOptions {
    static let all: [(flag: RecipeFlag, option: Option<[String]>)] = RecipeFlag.all.map { flag in
        (flag, option(for: flag))
    }

    static var input: [OptionDeclaration] { declarations(.input) }
    static var tiles: [OptionDeclaration] { declarations(.tiles) }
    static var clusters: [OptionDeclaration] { declarations(.clusters) }
    static var about: [OptionDeclaration] { declarations(.about) }

    /// The values of the given options, to be set in a recipe.
    static func given(
        in arguments: ParsedArguments
    ) throws -> [(flag: RecipeFlag, value: JSONValue)] {
        try all.compactMap { flag, option in
            guard arguments.has(option) else { return nil }
            if let name = flag.repeatedName(in: arguments[option]) {
                throw UsageError.contradiction(
                    "--\(flag.option.name) names \(name) twice", remedy: "leave one of them out")
            }
            return flag.json(of: arguments[option]).map { (flag, $0) }
        }
    }

    private static func declarations(_ section: RecipeFlag.Section) -> [OptionDeclaration] {
        all.filter { $0.flag.section == section }.map(\.option.declaration)
    }

    private static func option(for flag: RecipeFlag) -> Option<[String]> {
        let form: WordsForm =
            switch flag.form {
            case .flag: .nothing
            case .value: .value
            case .flagOrValue: .valueOrNothing
            case .repeated: .repeatedValue
            }
        return Option(
            words: flag.option.name, flag.option.placeholder, flag.help, takes: form,
            choices: flag.choices
        ) { word throws(ValueError) in
            guard flag.json(of: [word]) != nil else {
                throw ValueError(expected: flag.expectation)
            }
        }
    }
}

extension RecipeFlag {
    /// The expected form of the option's value.
    fileprivate var expectation: String {
        switch value {
        case .map(.choice(let words)):
            "\(option.placeholder), and what follows the last colon \(RecipeValue.choice(words).inWords)"
        case .map: option.placeholder
        case .expression, .expressions: "JSON: \(value.inWords)"
        default: value.inWords
        }
    }
}
