import ArchiveContract
import Geometry
import JSON
import VectorTile

/// What the features of a decoded tile carry, taken out one at a time.
package struct TileFeatures {
    /// What a point carries.
    package struct Feature {
        var id: UInt64?
        var layer: String?
        package var properties: JSONObject

        func geoJSON(at point: WorldPoint) -> JSONValue {
            GeoJSON.feature(
                id: id.map(JSONValue.init), geometry: GeoJSON.point(point),
                properties: properties, layer: layer)
        }
    }

    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Features of one or more tiles, by their ids.
    package struct Found {
        package fileprivate(set) var features: [UInt64: Feature] = [:]
        /// Whether they carry more together than they may; then some are missing.
        package var isCut: Bool { bytesLeft < 0 }
        fileprivate var bytesLeft: Int

        /// - Parameter mostBytes: what they may carry together, in keys and values. A tile has each
        ///   value once, however many features carry it, and an answer once for each.
        package init(mostBytes: Int) { bytesLeft = mostBytes }
    }

    /// Adds the features that have these ids. Reading ends when all are found.
    package func find(_ wanted: Set<UInt64>, into found: inout Found) throws(TileError) {
        var missing = wanted.count
        var tile = try TileReader(bytes.span)
        while let layer = try tile.nextLayer(), missing > 0 {
            var features = layer.features()
            while let feature = try features.next() {
                guard let id = feature.id, wanted.contains(id), found.features[id] == nil else {
                    continue
                }
                guard let taken = try Self.take(feature, of: layer, &found.bytesLeft) else {
                    return
                }
                found.features[id] = taken
                missing -= 1
            }
        }
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

    /// What a feature carries; nil if it is more than there is room for.
    private static func take(
        _ feature: FeatureView, of layer: LayerView, _ bytesLeft: inout Int
    ) throws(TileError) -> Feature? {
        var properties = JSONObject()
        var tags = feature.tags()
        while let tag = try tags.next() {
            bytesLeft -= layer.keyBytes(at: tag.key).count + layer.value(at: tag.value).bytes.count
            if bytesLeft < 0 { return nil }
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
