import ArchiveContract
import Geometry
import JSON
import VectorTile

extension Survey {
    /// All figures as JSON: zooms, then layers with their attributes.
    public var json: JSONValue {
        ["zooms": .array(zooms.map(\.json)), "layers": .array(layers.map(\.json))]
    }
}

extension ZoomFigures {
    public var json: JSONValue {
        var object: JSONObject = JSONObject([
            .init(key: "zoom", value: .integer(Int64(zoom))),
            .init(key: "tiles", value: .integer(Int64(tiles))),
            .init(key: "tile_bytes", value: .integer(Int64(bytes))),
            .init(key: "inflated_bytes", value: .integer(Int64(inflatedBytes))),
            .init(key: "smallest_tile", value: smallest?.json ?? .null),
            .init(key: "average_tile_bytes", value: .integer(Int64(averageBytes))),
            .init(key: "largest_tile", value: largest?.json ?? .null),
            .init(key: "features", value: .integer(Int64(features))),
            .init(key: "margin_copies", value: .integer(Int64(copies))),
            .init(key: "clusters", value: .integer(Int64(clusters))),
            .init(key: "single_points", value: .integer(Int64(singlePoints))),
            .init(key: ClusterAttribute.pointCount.name, value: .integer(Int64(points))),
        ])
        object["largest_cluster"] = largestCluster?.json
        if unreadableTiles > 0 {
            object["unreadable_tiles"] = .integer(Int64(unreadableTiles))
        }
        return .object(object)
    }
}

extension SizedTile {
    var json: JSONValue {
        ["tile": .string(tile.description), "bytes": .integer(Int64(bytes))]
    }
}

extension SizedCluster {
    var json: JSONValue {
        [
            "id": id.map { .integer(Int64(clamping: $0)) } ?? .null,
            ClusterAttribute.pointCount.name: .integer(Int64(points)),
            "tile": .string(tile.description),
        ]
    }
}

extension LayerFigures {
    public var json: JSONValue {
        var counts = JSONObject()
        for type in GeometryType.allCases where features(of: type) > 0 {
            counts[type.word] = .integer(Int64(features(of: type)))
        }
        return [
            "name": .string(name),
            "min_zoom": .integer(Int64(zooms.lowerBound)),
            "max_zoom": .integer(Int64(zooms.upperBound)),
            "version": .integer(Int64(versions.upperBound)),
            "extent": .integer(Int64(extents.upperBound)),
            "tiles": .integer(Int64(tiles)),
            "features": .integer(Int64(features)),
            "features_by_type": .object(counts),
            "skipped_features": .integer(Int64(skippedFeatures)),
            "cluster_features": .integer(Int64(clusters)),
            "inflated_bytes": .integer(Int64(bytes)),
            "geometry_bytes": .integer(Int64(geometryBytes)),
            "tag_bytes": .integer(Int64(tagBytes)), "key_bytes": .integer(Int64(keyBytes)),
            "value_bytes": .integer(Int64(valueBytes)),
            "attributes": .array(attributes.map(\.json)),
        ]
    }
}

extension AttributeFigures {
    var json: JSONValue {
        [
            "name": .string(name), "type": .string(kinds.words),
            "features": .integer(Int64(features)), "key_bytes": .integer(Int64(keyBytes)),
            "value_bytes": .integer(Int64(valueBytes)), "tag_bytes": .integer(Int64(tagBytes)),
        ]
    }
}

extension GeometryType {
    /// The type's name in GeoJSON.
    public var word: String {
        switch self {
        case .unknown: "Unknown"
        case .point: "Point"
        case .lineString: "LineString"
        case .polygon: "Polygon"
        }
    }
}
