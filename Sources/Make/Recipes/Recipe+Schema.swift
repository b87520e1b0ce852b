import JSON

extension Recipe {
    /// The JSON Schema of a recipe (draft 2020-12), made from the same keys that read one.
    public static var schema: JSONValue {
        var properties = About.schemaProperties
        properties["$schema"] = ["type": "string"]
        properties["tiles"] = object(TileOptions.schemaProperties)
        properties["layers"] = ["type": "array", "minItems": 1, "items": layerSchema]
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Covey recipe",
            "type": "object",
            "required": ["layers"],
            "properties": .object(properties),
            "additionalProperties": false,
        ]
    }

    private static var layerSchema: JSONValue {
        var properties = InputRecipe.schemaProperties
        properties["name"] = ["type": "string", "minLength": 1]
        properties["sources"] = [
            "type": "array", "minItems": 1, "items": ["type": "string", "minLength": 1],
        ]
        properties["clusters"] = [
            "anyOf": [["const": false], object(ClusterRecipe.schemaProperties)]
        ]
        var schema = object(properties).asObject ?? [:]
        schema["required"] = ["name", "sources"]
        return .object(schema)
    }

    private static func object(_ properties: JSONObject) -> JSONValue {
        ["type": "object", "properties": .object(properties), "additionalProperties": false]
    }
}
