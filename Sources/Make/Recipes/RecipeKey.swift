import JSON
import Spelling

/// A key of a recipe's section: its name in a recipe and on the command line, the values that it
/// takes, and the property that it sets.
///
/// A new option is one more entry in a section's list.
public struct RecipeKey<Section>: Sendable {
    public let name: String
    public let value: RecipeValue
    public let help: String
    /// What a JSON Schema says of its values besides their kind.
    let schema: JSONObject
    /// The option on the command line; nil if only a recipe can set the key.
    public let option: RecipeOption?
    /// The present value of the section; nil if it has none.
    let get: @Sendable (Section) -> JSONValue?
    let set: @Sendable (inout Section, JSONNode) throws -> Void

    init(
        _ name: String, _ value: RecipeValue, option: RecipeOption? = nil,
        schema: JSONObject = [:], _ help: String,
        get: @escaping @Sendable (Section) -> JSONValue?,
        set: @escaping @Sendable (inout Section, JSONNode) throws -> Void
    ) {
        self.name = name
        self.value = value
        self.help = help
        self.schema = schema
        self.option = option
        self.get = get
        self.set = set
    }
}

/// The spelling of a key on the command line.
public struct RecipeOption: Sendable {
    /// The long option, without dashes.
    public let name: String
    public let placeholder: String
    /// The help for a switch that turns the key off, such as `--no-wrap`; nil for all others.
    let offHelp: String?

    /// Whether the option is a switch that turns the key off.
    public var turnsOff: Bool { offHelp != nil }

    init(_ name: String, _ placeholder: String = "") {
        self.name = name
        self.placeholder = placeholder
        offHelp = nil
    }

    private init(off name: String, help: String) {
        self.name = name
        placeholder = ""
        offHelp = help
    }

    /// A switch that turns the key off.
    /// - Parameter help: the effect of the switch, as the key's own help says the opposite.
    static func off(_ name: String, _ help: String) -> RecipeOption { .init(off: name, help: help) }
}

/// A part of a recipe that is an object with keys.
protocol RecipeSection: Sendable {
    static var keys: [RecipeKey<Self>] { get }
    init()
}

extension RecipeSection {
    /// Reads a section; each unknown or ill-typed key becomes a problem with its path.
    init(
        reading node: JSONNode, besides others: [String] = [], _ problems: inout RecipeProblems
    ) {
        self.init()
        let keys = Self.keys
        let names = others + keys.map(\.name)
        let members = problems.gather { try node.members } ?? []
        for (name, member) in members {
            if let key = keys.first(where: { $0.name == name }) {
                _ = problems.gather {
                    try key.value.check(member)
                    try key.set(&self, member)
                }
            } else if !others.contains(name) {
                _ = problems.gather {
                    let meant = RecipeFlag.meant(by: name, in: Self.self)
                    throw JSONError.unknown(
                        key: name, nearest: meant ?? names.nearest(to: name), at: node.path)
                }
            }
        }
    }

    /// The members that differ from the defaults, which are those that were chosen; or all that
    /// have a value.
    func members(withDefaults: Bool) -> [JSONObject.Member] {
        let defaults = Self()
        return Self.keys.compactMap { key in
            guard let value = key.get(self), withDefaults || value != key.get(defaults) else {
                return nil
            }
            return JSONObject.Member(key: key.name, value: value)
        }
    }

    /// The section as a JSON Schema's `properties`.
    static var schemaProperties: JSONObject {
        JSONObject(
            keys.map { key in
                var schema = key.value.schema
                for member in key.schema.members { schema[member.key] = member.value }
                schema["description"] = .string(key.help)
                return JSONObject.Member(key: key.name, value: .object(schema))
            })
    }
}
