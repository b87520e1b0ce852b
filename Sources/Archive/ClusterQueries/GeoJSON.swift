import Geometry
import JSON
import VectorTile

/// GeoJSON objects (RFC 7946) as JSON values.
public enum GeoJSON {
    public static func position(_ point: WorldPoint) -> JSONValue {
        let lonLat = point.lonLat
        return [degrees(lonLat.longitude), degrees(lonLat.latitude)]
    }

    /// Degrees with a precision of 10^-7, a centimetre: more than the index has.
    public static func degrees(_ number: Double) -> JSONValue {
        JSONValue(canonical: (number * 1e7).rounded() / 1e7)
    }

    public static func point(_ point: WorldPoint) -> JSONValue {
        ["type": "Point", "coordinates": position(point)]
    }

    /// The shape of a hull: a polygon, or a line or point if it has no area.
    public static func hull(_ corners: [WorldPoint]) -> JSONValue {
        guard corners.count > 2 else {
            return corners.count == 1
                ? point(corners[0])
                : ["type": "LineString", "coordinates": .array(corners.map(position))]
        }
        // Outer rings run counterclockwise and end where they begin (3.1.6).
        let ring = corners.reversed() + [corners[corners.count - 1]]
        return ["type": "Polygon", "coordinates": [.array(ring.map(position))]]
    }

    public static func feature(
        id: JSONValue?, geometry: JSONValue, properties: JSONObject, layer: String?
    ) -> JSONValue {
        var object = JSONObject()
        object["type"] = "Feature"
        object["id"] = id
        object["geometry"] = geometry
        object["properties"] = .object(properties)
        object["layer"] = layer.map(JSONValue.string)
        return .object(object)
    }

    public static func feature(_ leaf: Leaf) -> JSONValue {
        let properties = JSONObject(
            leaf.tags.map { .init(key: $0.key, value: $0.value.json) })
        return feature(
            id: leaf.id.map(JSONValue.init(exactly:)), geometry: point(leaf.position.wrapped),
            properties: properties, layer: leaf.layer)
    }

    /// A collection of features. `total` is how many there are, if that is known, and `next` is the number to go on from.
    public static func collection(
        _ features: [JSONValue], total: Int64? = nil, next: Int64? = nil
    ) -> JSONValue {
        collection(features, count: Int64(features.count), total: total, next: next)
    }

    /// The text of a collection before its features and after them, for features that are too many to be in memory
    /// together.
    package static func frame(
        count: Int64, total: Int64? = nil
    ) -> (head: String, tail: String) {
        let text = collection([], count: count, total: total, next: nil).text()
        return (String(text.dropLast(2)), String(text.suffix(2)))
    }

    private static func collection(
        _ features: [JSONValue], count: Int64, total: Int64?, next: Int64?
    ) -> JSONValue {
        var object = JSONObject()
        object["type"] = "FeatureCollection"
        object["numberMatched"] = total.map(JSONValue.integer)
        object["numberReturned"] = .integer(count)
        object["next"] = next.map(JSONValue.integer)
        object["features"] = .array(features)
        return .object(object)
    }
}

extension TileValue {
    /// The value as JSON; numbers stay exact where JSON can represent them.
    public var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .float(let number): JSONValue(canonical: Double(number))
        case .double(let number): JSONValue(canonical: number)
        case .int(let integer), .sint(let integer): .integer(integer)
        case .uint(let integer): JSONValue(exactly: integer)
        case .bool(let bool): .bool(bool)
        }
    }
}
