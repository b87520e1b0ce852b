import JSON

/// A key of a recipe as an option of the command line.
public struct RecipeFlag: Sendable {
    /// The section of a recipe with the key.
    public enum Section: String, Sendable, CaseIterable {
        case input, tiles, clusters, about
    }

    public let section: Section
    public let key: String
    public let option: RecipeOption
    public let help: String
    public let value: RecipeValue

    /// All options, in the order in which recipes describe them.
    public static let all: [RecipeFlag] =
        flags(InputRecipe.self, .input) + flags(TileOptions.self, .tiles)
        + flags(ClusterRecipe.self, .clusters) + flags(Recipe.About.self, .about)

    /// The key that was probably meant by a name that the section does not have: a key of another section, or
    /// one that the command line or MapLibre calls so. Nil if no key has exactly that name.
    static func meant<Keys: RecipeSection>(by name: String, in section: Keys.Type) -> String? {
        let spelled = name.filter { $0 != "-" && $0 != "_" }.lowercased()
        let own = Set(section.keys.map(\.name))
        let named = all.filter {
            $0.key == name || $0.option.name.filter { $0 != "-" } == spelled
        }
        if let here = named.first(where: { own.contains($0.key) }) { return here.key }
        // Clusters are inside a layer, so for a layer a key of theirs comes first.
        let sections: [Section] =
            section == InputRecipe.self
            ? [.clusters, .tiles, .about] : [.tiles, .input, .clusters, .about]
        return sections.lazy.compactMap { candidate in named.first { $0.section == candidate } }
            .first
            .map { $0.section.prefix(from: section) + $0.key }
    }

    private static func flags<Keys: RecipeSection>(
        _ keys: Keys.Type, _ section: Section
    ) -> [RecipeFlag] {
        keys.keys.compactMap { key in
            key.option.map {
                RecipeFlag(
                    section: section, key: key.name, option: $0, help: $0.offHelp ?? key.help,
                    value: key.value)
            }
        }
    }

    /// The possible words, if there are such.
    public var choices: [String] { value.choices }

    /// How the option takes its value.
    public enum Form: Sendable { case flag, value, flagOrValue, repeated }

    public var form: Form {
        switch value {
        case .flag: .flag
        case .texts, .wholeTexts, .map: .repeated
        case .either(.flag, _): .flagOrValue
        default: .value
        }
    }

    /// The JSON value for the words given to the option; nil if they have no meaning. A flag has no words.
    public func json(of words: [String]) -> JSONValue? {
        let given = words.filter { !$0.isEmpty }
        guard let last = given.last else { return form == .value ? nil : .bool(!option.turnsOff) }
        switch value {
        case .texts:
            return .array(given.flatMap(\.partedByCommas).map(JSONValue.string))
        case .wholeTexts: return .array(given.map(JSONValue.string))
        case .map(let kind):
            return object(of: given, kind)
        default:
            let candidates = [.string(last), try? JSONValue(parsing: last)].compactMap(\.self)
            return candidates.first(where: value.accepts)
        }
    }

    /// A name that is given twice to an option that takes a value for each name; nil if there is none.
    public func repeatedName(in words: [String]) -> String? {
        guard case .map = value else { return nil }
        var seen: Set<Substring> = []
        return words.compactMap { parts(of: $0)?.name }.first { !seen.insert($0).inserted }
            .map(String.init)
    }

    private func object(of words: [String], _ kind: RecipeValue) -> JSONValue? {
        var object = JSONObject()
        for word in words {
            guard let (name, text) = parts(of: word) else { return nil }
            let value = JSONValue.string(String(text))
            guard kind.accepts(value) else { return nil }
            object[String(name)] = value
        }
        return .object(object)
    }

    /// Name and value in `NAME=OP` or `ATTR:KIND`: an attribute may have colons in its name, and a kind has none.
    private func parts(of word: String) -> (name: Substring, value: Substring)? {
        let place =
            option.placeholder.contains("=") ? word.firstIndex(of: "=") : word.lastIndex(of: ":")
        guard let place, place > word.startIndex,
            case let value = word[place...].dropFirst(), !value.isEmpty
        else { return nil }
        return (word[..<place], value)
    }
}

extension RecipeFlag.Section {
    /// The path to the keys of this section, as written in another section.
    fileprivate func prefix<Keys>(from section: Keys.Type) -> String {
        switch self {
        case .about: ""
        case .tiles: "tiles."
        case .input: "layers[…]."
        case .clusters: section == InputRecipe.self ? "clusters." : "layers[…].clusters."
        }
    }
}

extension String {
    /// The texts between commas; one after a backslash is a letter of its text. Words of a command line have no NUL.
    fileprivate var partedByCommas: [String] {
        replacing("\\,", with: "\0").split(separator: ",").map { $0.replacing("\0", with: ",") }
            .map(String.init)
    }
}

extension Recipe {
    /// A recipe's document with some keys set; layer keys are set in every layer.
    public static func document(
        _ document: JSONValue, setting flags: [(flag: RecipeFlag, value: JSONValue)]
    ) -> JSONValue {
        var root = document.asObject ?? [:]
        var layers = root["layers"]?.asArray
        for (flag, value) in flags {
            switch flag.section {
            case .about: root[flag.key] = value
            case .tiles: root["tiles"] = (root["tiles"] ?? [:]).setting(flag.key, to: value)
            case .input: layers = layers?.map { $0.setting(flag.key, to: value) }
            case .clusters:
                layers = layers?.map { layer in
                    // A layer that is not clustered stays so: the option is for those that are.
                    guard layer.asObject?["clusters"] != false else { return layer }
                    let clusters = layer.asObject?["clusters"] ?? [:]
                    return layer.setting("clusters", to: clusters.setting(flag.key, to: value))
                }
            }
        }
        if let layers { root["layers"] = .array(layers) }
        return .object(root)
    }
}

extension JSONValue {
    fileprivate func setting(_ key: String, to value: JSONValue) -> JSONValue {
        var object = asObject ?? [:]
        object[key] = value
        return .object(object)
    }
}
