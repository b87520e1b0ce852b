import JSON

/// A property of a section that a key sets.
typealias Property<Section, Value> = any (WritableKeyPath<Section, Value> & Sendable)

// The kinds of keys that need no code of their own.
extension RecipeKey where Section: RecipeSection {
    static func text(
        _ name: String, option: RecipeOption? = nil, _ help: String,
        _ property: Property<Section, String?>
    ) -> RecipeKey {
        RecipeKey(
            name, .text, option: option, help,
            get: { $0[keyPath: property].map(JSONValue.string) },
            set: { $0[keyPath: property] = try $1.string })
    }

    static func flag(
        _ name: String, option: RecipeOption? = nil, _ help: String,
        _ property: Property<Section, Bool>
    ) -> RecipeKey {
        RecipeKey(
            name, .flag, option: option, help,
            get: { .bool($0[keyPath: property]) },
            set: { $0[keyPath: property] = try $1.bool })
    }

    static func integer<Value: FixedWidthInteger & Sendable>(
        _ name: String, _ range: ClosedRange<Int>, option: RecipeOption? = nil, _ help: String,
        _ property: Property<Section, Value>
    ) -> RecipeKey {
        RecipeKey(
            name, .integer(range), option: option, help,
            get: { .integer(Int64($0[keyPath: property])) },
            set: { $0[keyPath: property] = Value(try $1.integer(in: range)) })
    }

    static func optionalInteger<Value: FixedWidthInteger & Sendable>(
        _ name: String, _ range: ClosedRange<Int>, option: RecipeOption? = nil, _ help: String,
        _ property: Property<Section, Value?>
    ) -> RecipeKey {
        RecipeKey(
            name, .integer(range), option: option, help,
            get: { $0[keyPath: property].map { .integer(Int64($0)) } },
            set: { $0[keyPath: property] = Value(try $1.integer(in: range)) })
    }

    static func number(
        _ name: String, _ range: ClosedRange<Double>, option: RecipeOption? = nil,
        _ help: String, _ property: Property<Section, Double>
    ) -> RecipeKey {
        RecipeKey(
            name, .number(range), option: option, help,
            get: { JSONValue(canonical: $0[keyPath: property]) },
            set: { $0[keyPath: property] = try $1.number })
    }

    static func choice<Value: RawRepresentable & CaseIterable & Equatable & Sendable>(
        _ name: String, option: RecipeOption? = nil, _ help: String,
        _ property: Property<Section, Value>
    ) -> RecipeKey where Value.RawValue == String {
        let words = Value.allCases.map(\.rawValue)
        // The help shows these words too, so that it has every new one.
        let option = option.map { RecipeOption($0.name, words.joined(separator: "|")) }
        return RecipeKey(
            name, .choice(words), option: option, help,
            get: { .string($0[keyPath: property].rawValue) },
            set: { section, node in
                guard let value = Value(rawValue: try node.string) else {
                    throw node.wrong("one of " + words.joined(separator: ", "))
                }
                section[keyPath: property] = value
            })
    }

    static func texts(
        _ name: String, option: RecipeOption? = nil, _ help: String,
        _ property: Property<Section, [String]>
    ) -> RecipeKey {
        RecipeKey(
            name, .texts, option: option, help,
            get: { .array($0[keyPath: property].map(JSONValue.string)) },
            set: { $0[keyPath: property] = try $1.elements.map { try $0.string } })
    }

    static func json(
        _ name: String, _ value: RecipeValue, option: RecipeOption? = nil, _ help: String,
        _ property: Property<Section, JSONValue?>
    ) -> RecipeKey {
        RecipeKey(
            name, value, option: option, help,
            get: { $0[keyPath: property] },
            set: { $0[keyPath: property] = $1.value })
    }
}
