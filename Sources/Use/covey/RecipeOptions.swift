import Arguments
import JSON
import Recipes

/// The command line's options for the keys of a recipe; there is one for each, made from the key.
enum RecipeOptions {
    static let all: [(flag: RecipeFlag, option: Option<[String]>)] = RecipeFlag.all.map { flag in
        (flag, option(for: flag))
    }

    static var input: [OptionDeclaration] { declarations(.input) }
    static var tiles: [OptionDeclaration] { declarations(.tiles) }
    static var clusters: [OptionDeclaration] { declarations(.clusters) }
    static var about: [OptionDeclaration] { declarations(.about) }

    /// What the options that were given say, for setting in a recipe.
    static func given(
        in arguments: ParsedArguments
    ) -> [(flag: RecipeFlag, value: JSONValue)] {
        all.compactMap { flag, option in
            guard arguments.has(option) else { return nil }
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
    /// What a word for this option should be.
    fileprivate var expectation: String {
        switch value {
        case .map: option.placeholder
        case .json: "JSON: \(value.inWords)"
        default: value.inWords
        }
    }
}
