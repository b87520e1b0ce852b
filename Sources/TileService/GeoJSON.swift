import ClusterQueries
import Geometry
import JSON
import VectorTile

/// GeoJSON objects (RFC 7946) as JSON values.
enum GeoJSON {
    static func position(_ point: WorldPoint) -> JSONValue {
        let lonLat = point.lonLat
        return [degrees(lonLat.longitude), degrees(lonLat.latitude)]
    }

    /// To 10^-7 degrees, a centimetre: more than the index knows.
    static func degrees(_ number: Double) -> JSONValue {
        JSONValue(canonical: (number * 1e7).rounded() / 1e7)
    }

    static func point(_ point: WorldPoint) -> JSONValue {
        ["type": "Point", "coordinates": position(point)]
    }

    /// What a hull's corners span: a polygon, or a line or point where there is no area.
    static func hull(_ corners: [WorldPoint]) -> JSONValue {
        guard corners.count > 2 else {
            return corners.count == 1
                ? point(corners[0])
                : ["type": "LineString", "coordinates": .array(corners.map(position))]
        }
        // Outer rings run counterclockwise and end where they began (3.1.6).
        let ring = corners.reversed() + [corners[corners.count - 1]]
        return ["type": "Polygon", "coordinates": [.array(ring.map(position))]]
    }

    static func feature(
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

    static func feature(_ leaf: Leaf) -> JSONValue {
        let properties = JSONObject(
            leaf.tags.map { .init(key: $0.key, value: JSONValue($0.value)) })
        return feature(
            id: leaf.id.map(JSONValue.init), geometry: point(leaf.place.wrapped),
            properties: properties, layer: leaf.layer)
    }

    /// - Parameter total: how many there are, where that is known.
    static func collection(
        _ features: [JSONValue], total: Int64? = nil, next: Int64? = nil
    ) -> JSONValue {
        var object = JSONObject()
        object["type"] = "FeatureCollection"
        object["numberMatched"] = total.map(JSONValue.integer)
        object["numberReturned"] = .integer(Int64(features.count))
        object["next"] = next.map(JSONValue.integer)
        object["features"] = .array(features)
        return .object(object)
    }
}
