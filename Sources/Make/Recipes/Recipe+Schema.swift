import ArchiveContract
import JSON

extension Recipe {
    /// The JSON Schema of a recipe (draft 2020-12), made from the same keys that read one.
    public static var schema: JSONValue {
        var properties = About.schemaProperties
        properties["$schema"] = ["type": "string"]
        properties["tiles"] = object(
            TileOptions.schemaProperties, "which tiles there are, and what is in them")
        properties["layers"] = [
            "type": "array", "minItems": 1, "maxItems": .integer(Int64(PlaceID.mostLayers)),
            "items": layerSchema,
            "description": "the layers of the tiles, each with points of its own",
        ]
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
        properties["name"] = [
            "type": "string", "minLength": 1, "description": "the layer's name in tiles and styles",
        ]
        properties["sources"] = [
            "type": "array", "minItems": 1, "items": ["type": "string", "minLength": 1],
            "description":
                "files, folders, patterns or addresses of points; paths begin at the recipe's folder",
        ]
        properties["clusters"] = [
            "anyOf": [["const": false], object(ClusterRecipe.schemaProperties)],
            "description": "how points are clustered; false draws all of them by themselves",
        ]
        var schema = object(properties).asObject ?? [:]
        schema["required"] = ["name", "sources"]
        return .object(schema)
    }

    private static func object(_ properties: JSONObject, _ words: String? = nil) -> JSONValue {
        var schema: JSONObject = [
            "type": "object", "properties": .object(properties), "additionalProperties": false,
        ]
        schema["description"] = words.map(JSONValue.string)
        return .object(schema)
    }
}
