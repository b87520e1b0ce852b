import JSON

/// The values that a key of a recipe takes: how they are checked, described in a JSON Schema, and
/// written on a command line.
public indirect enum RecipeValue: Sendable {
    case text
    case flag
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case choice([String])
    /// Several texts; on the command line, the option is repeated.
    case texts
    /// Several texts that may contain commas.
    case wholeTexts
    /// An object of texts; on the command line `NAME=TEXT`, repeated.
    case map(RecipeValue)
    /// A number, or numbers by zoom.
    case numberByZoom
    /// The values that an attribute of clusters aggregates.
    case aggregate
    /// An expression, whose content is checked elsewhere.
    case expression
    /// An object of expressions.
    case expressions
    case either(RecipeValue, RecipeValue)
}

extension RecipeValue {
    /// The words for it in an error that says what was expected.
    public var inWords: String {
        switch self {
        case .text: "text"
        case .flag: "true or false"
        case .integer(let range) where range.upperBound == .max:
            "a whole number, \(range.lowerBound) or more"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range) where range.upperBound == .infinity:
            "a number, \(Self.plain(range.lowerBound)) or more"
        case .number(let range):
            "a number from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))"
        case .choice(let words) where words.count == 1: words[0]
        case .choice(let words): "one of " + words.joined(separator: ", ")
        case .texts, .wholeTexts: "a list of texts"
        case .map(let value): "an object whose values are \(value.inWords)"
        case .numberByZoom: "a number, 0 or more, or an object of such numbers by zoom"
        case .aggregate: "\"OP:ATTR\" or [\"OP\", EXPRESSION]"
        case .expression: "an array"
        case .expressions: "an object"
        case .either(let a, let b): "\(a.inWords), or \(b.inWords)"
        }
    }

    /// The possible words, if there are such.
    var choices: [String] {
        switch self {
        case .choice(let words): words
        case .either(let a, let b): a.choices + b.choices
        default: []
        }
    }

    private static func plain(_ number: Double) -> String {
        JSONValue(canonical: number).text()
    }

    /// The value as JSON Schema describes it (draft 2020-12).
    var schema: JSONObject {
        switch self {
        case .text: return ["type": "string"]
        case .flag: return ["type": "boolean"]
        case .integer(let range):
            var schema: JSONObject = [
                "type": "integer", "minimum": .integer(.init(range.lowerBound)),
            ]
            if range.upperBound != .max { schema["maximum"] = .integer(.init(range.upperBound)) }
            return schema
        case .number(let range):
            var schema: JSONObject = [
                "type": "number", "minimum": .init(canonical: range.lowerBound),
            ]
            if range.upperBound != .infinity {
                schema["maximum"] = .init(canonical: range.upperBound)
            }
            return schema
        case .choice(let words):
            let numbers = words.compactMap { Int64($0).map(JSONValue.integer) }
            return ["enum": .array(words.map(JSONValue.string) + numbers)]
        case .texts, .wholeTexts: return ["type": "array", "items": ["type": "string"]]
        case .map(let kind):
            return ["type": "object", "additionalProperties": .object(kind.schema)]
        case .numberByZoom:
            return [
                "oneOf": [
                    ["type": "number", "minimum": 0],
                    [
                        "type": "object", "minProperties": 1,
                        "propertyNames": ["pattern": "^([12]?[0-9]|3[01])$"],
                        "additionalProperties": ["type": "number", "minimum": 0],
                    ],
                ]
            ]
        case .aggregate: return ["type": ["string", "array"]]
        case .expression: return ["type": "array"]
        case .expressions: return ["type": "object"]
        case .either(let a, let b):
            return ["anyOf": [.object(a.schema), .object(b.schema)]]
        }
    }
}
