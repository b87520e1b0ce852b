import JSON

/// A key of a recipe's section: the one place that knows how it is called in a recipe and on the
/// command line, what may stand behind it, and which property it sets.
///
/// A new option is one more entry in a section's list.
public struct RecipeKey<Section>: Sendable {
    public let name: String
    public let value: RecipeValue
    public let help: String
    /// How the command line says it; nil where only a recipe can.
    public let option: RecipeOption?
    /// The value that the section has now, or nil where it is the default.
    let get: @Sendable (Section) -> JSONValue?
    let set: @Sendable (inout Section, JSONNode) throws -> Void

    init(
        _ name: String, _ value: RecipeValue, option: RecipeOption? = nil, _ help: String,
        get: @escaping @Sendable (Section) -> JSONValue?,
        set: @escaping @Sendable (inout Section, JSONNode) throws -> Void
    ) {
        self.name = name
        self.value = value
        self.help = help
        self.option = option
        self.get = get
        self.set = set
    }
}

/// How the command line spells a key.
public struct RecipeOption: Sendable {
    /// The long option, without dashes.
    public let name: String
    public let placeholder: String
    /// What the option sets when it is a switch that turns something off, as `--no-wrap` does.
    public let turnsOff: Bool

    init(_ name: String, _ placeholder: String = "", turnsOff: Bool = false) {
        self.name = name
        self.placeholder = placeholder
        self.turnsOff = turnsOff
    }
}

/// A part of a recipe that is an object of keys.
protocol RecipeSection: Sendable {
    static var keys: [RecipeKey<Self>] { get }
    init()
}

extension RecipeSection {
    /// Reads a section; an unknown or ill-typed key is refused with its path.
    init(reading node: JSONNode, besides others: [String] = []) throws {
        self.init()
        let keys = Self.keys
        try node.refuseMembers(besides: others + keys.map(\.name))
        for key in keys {
            guard let member = try node.member(key.name) else { continue }
            guard key.value.accepts(member.value) else { throw member.wrong(key.value.inWords) }
            try key.set(&self, member)
        }
    }

    /// The members that differ from the defaults.
    var members: [JSONObject.Member] {
        Self.keys.compactMap { key in
            key.get(self).map { JSONObject.Member(key: key.name, value: $0) }
        }
    }

    /// The section as a JSON Schema's `properties`.
    static var schemaProperties: JSONObject {
        JSONObject(
            keys.map { key in
                var schema = key.value.schema
                schema["description"] = .string(key.help)
                return JSONObject.Member(key: key.name, value: .object(schema))
            })
    }
}
