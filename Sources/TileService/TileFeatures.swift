import ArchiveContract
import Geometry
import JSON
import VectorTile

/// What the features of a decoded tile carry, taken out one at a time.
struct TileFeatures {
    /// What a point carries.
    struct Feature {
        var id: UInt64?
        var layer: String?
        var properties: JSONObject

        func geoJSON(at point: WorldPoint) -> JSONValue {
            GeoJSON.feature(
                id: id.map(JSONValue.init), geometry: GeoJSON.point(point),
                properties: properties, layer: layer)
        }
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The features that have these ids, in any order. Reading ends when all are found.
    func features(withIDs wanted: Set<UInt64>) throws(TileError) -> [UInt64: Feature] {
        var found: [UInt64: Feature] = [:]
        var tile = try TileReader(bytes.span)
        while let layer = try tile.nextLayer(), found.count < wanted.count {
            var features = layer.features()
            while let feature = try features.next() {
                guard let id = feature.id, wanted.contains(id), found[id] == nil else { continue }
                found[id] = try Self.take(feature, of: layer)
            }
        }
        return found
    }

    /// The counts that features of each layer carry as clusters.
    func counts() throws(TileError) -> [String: [Int]] {
        var counts: [String: [Int]] = [:]
        var tile = try TileReader(bytes.span)
        while let layer = try tile.nextLayer() {
            guard
                let key = (0..<layer.keyCount).first(where: {
                    layer.key(at: $0) == ClusterAttribute.pointCount.name
                })
            else { continue }
            var features = layer.features()
            while let feature = try features.next() {
                var tags = feature.tags()
                while let tag = try tags.next() {
                    guard tag.key == key else { continue }
                    let value = JSONValue(layer.value(at: tag.value).value)
                    if let count = value.asNumber {
                        counts[layer.name, default: []].append(
                            Int(exactly: count.rounded()) ?? .max)
                    }
                }
            }
        }
        return counts
    }

    private static func take(
        _ feature: FeatureView, of layer: LayerView
    ) throws(TileError) -> Feature {
        var properties = JSONObject()
        var tags = feature.tags()
        while let tag = try tags.next() {
            let value = JSONValue(layer.value(at: tag.value).value)
            properties.members.append(.init(key: layer.key(at: tag.key), value: value))
        }
        return Feature(id: feature.id, layer: layer.name, properties: properties)
    }
}

extension JSONValue {
    /// A value of a tile; numbers keep their worth where JSON can say it.
    init(_ value: TileValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .float(let number): self.init(canonical: Double(number))
        case .double(let number): self.init(canonical: number)
        case .int(let integer), .sint(let integer): self = .integer(integer)
        case .uint(let integer): self.init(integer)
        case .bool(let bool): self = .bool(bool)
        }
    }

    init(_ integer: UInt64) {
        self = Int64(exactly: integer).map(JSONValue.integer) ?? .number(Double(integer))
    }
}
