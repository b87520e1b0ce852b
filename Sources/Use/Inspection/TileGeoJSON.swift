import Conversion
import ClusterQueries
import Geometry
import JSON
import VectorTile

/// Converts features of tiles to GeoJSON (RFC 7946).
public struct TileGeoJSON: Sendable {
    /// The kind of coordinates for positions.
    public enum Coordinates: Sendable {
        case degrees
        /// The tile's own grid, as in its bytes.
        case tile
    }

    let tile: TileID
    let coordinates: Coordinates

    public init(tile: TileID, coordinates: Coordinates) {
        self.tile = tile
        self.coordinates = coordinates
    }

    /// All layers as one FeatureCollection; if there are several, each feature names its own.
    public func collection(_ layers: [ReadableTile.Layer]) -> JSONValue {
        if layers.count == 1 { return collection(layers[0]) }
        return [
            "type": "FeatureCollection",
            "layers": .array(
                layers.map {
                    ["layer": .string($0.name), "extent": .integer(Int64($0.extent))]
                }),
            "features": .array(
                layers.flatMap { layer in
                    layer.features.map { feature($0, extent: layer.extent, layer: layer.name) }
                }),
        ]
    }

    private func collection(_ layer: ReadableTile.Layer) -> JSONValue {
        [
            "type": "FeatureCollection", "layer": .string(layer.name),
            "extent": .integer(Int64(layer.extent)),
            "features": .array(
                layer.features.map { feature($0, extent: layer.extent) }),
        ]
    }

    /// A feature; its geometry is null if it breaks the rules.
    public func feature(
        _ feature: ReadableTile.Feature, extent: UInt32, layer: String? = nil
    ) -> JSONValue {
        GeoJSON.feature(
            id: feature.id.map(JSONValue.init(exactly:)),
            geometry: feature.geometry.flatMap { self.geometry($0, extent: extent) } ?? .null,
            properties: JSONObject(
                feature.tags.map { .init(key: $0.key, value: $0.value.json) }), layer: layer)
    }

    private func geometry(_ geometry: TileGeometry, extent: UInt32) -> JSONValue? {
        func array(_ points: [TilePoint]) -> JSONValue {
            .array(points.map { position($0, extent: extent) })
        }
        switch geometry {
        case .points(let points):
            return Self.single(points.map { position($0, extent: extent) }, "Point")
        case .lines(let lines): return Self.single(lines.map(array), "LineString")
        case .rings(let rings):
            let polygons = Self.polygons(rings).map { polygon in
                // Outer rings run counterclockwise in degrees (3.1.6), whose north is up.
                JSONValue.array(
                    polygon.map { coordinates == .degrees ? $0.reversed() : $0 }
                        .map { array($0 + $0.prefix(1)) })
            }
            return Self.single(polygons, "Polygon")
        case .unknown: return nil
        }
    }

    private static func single(_ parts: [JSONValue], _ type: String) -> JSONValue {
        parts.count == 1
            ? ["type": .string(type), "coordinates": parts[0]]
            : ["type": .string("Multi\(type)"), "coordinates": .array(parts)]
    }

    private func position(_ point: TilePoint, extent: UInt32) -> JSONValue {
        guard coordinates == .degrees else {
            return [.integer(Int64(point.x)), .integer(Int64(point.y))]
        }
        return GeoJSON.position(WorldPoint(point, in: tile, extent: extent))
    }

    /// Rings by polygon: MVT 4.3.4.4 marks an exterior ring by its winding, which shows in its area's sign here.
    private static func polygons(_ rings: [[TilePoint]]) -> [[[TilePoint]]] {
        var polygons: [[[TilePoint]]] = []
        for ring in rings {
            if polygons.isEmpty || doubleArea(ring) > 0 {
                polygons.append([ring])
            } else {
                polygons[polygons.count - 1].append(ring)
            }
        }
        return polygons
    }

    private static func doubleArea(_ ring: [TilePoint]) -> Double {
        var sum = 0.0
        for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
            sum += Double(a.x) * Double(b.y) - Double(b.x) * Double(a.y)
        }
        return sum
    }
}
