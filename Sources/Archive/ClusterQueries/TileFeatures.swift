import ArchiveContract
import JSON
import VectorTile

/// The features of a decoded tile, taken out one at a time.
public struct TileFeatures {
    /// A feature with its attributes.
    public struct Feature {
        public var layer: String?
        public var properties: JSONObject
    }

    private let bytes: [UInt8]
    private let index: TileIndex

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        index = TileIndex(of: bytes.span)
    }

    /// Features of one or more tiles, by id.
    public struct Found {
        public fileprivate(set) var features: [UInt64: Feature] = [:]
        /// Whether the features carry more together than they may; then some are missing.
        public var isCut: Bool { bytesLeft < 0 }
        fileprivate var bytesLeft: Int

        /// - Parameter mostBytes: the most bytes of keys and values that they may carry together. A tile has each
        ///   value once, however many features carry it, but an answer repeats it for each.
        public init(mostBytes: Int) { bytesLeft = mostBytes }
    }

    /// Adds the features with these ids. Reading ends when all are found.
    public func find(_ wanted: Set<UInt64>, into found: inout Found) throws(TileError) {
        var missing = wanted.count
        var tile = try TileReader(bytes.span, index)
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

    /// The counts of the clusters of each layer.
    public func counts() throws(TileError) -> [String: [Int]] {
        var counts: [String: [Int]] = [:]
        var tile = try TileReader(bytes.span, index)
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
                    let value = layer.value(at: tag.value).value.json
                    if let count = value.asNumber {
                        counts[layer.name, default: []].append(
                            Int(exactly: count.rounded()) ?? .max)
                    }
                }
            }
        }
        return counts
    }

    /// A point, a cluster or a bin of a layer, and how many points it stands for.
    public struct Weight: Sendable {
        /// The position, in parts of the tile's side; of a bin its middle.
        public var x: Double
        public var y: Double
        public var count: Double
        /// Whether the count is the feature's own; otherwise it is one point.
        public var isCounted = false
        /// The value of the first attribute asked for that the feature has.
        public var value: JSONValue?

        public init(x: Double, y: Double, count: Double) {
            self.x = x
            self.y = y
            self.count = count
        }
    }

    /// The points, clusters and bins of each layer with their counts.
    /// - Parameter attributes: by layer, attributes whose values are taken too.
    public func weights(
        valuedBy attributes: [String: [String]] = [:]
    ) throws(TileError) -> [String: [Weight]] {
        var weights: [String: [Weight]] = [:]
        var tile = try TileReader(bytes.span, index)
        while let layer = try tile.nextLayer() {
            let names = [ClusterAttribute.pointCount.name] + (attributes[layer.name] ?? [])
            let keys = names.map { name in
                (0..<layer.keyCount).first { layer.key(at: $0) == name }
            }
            let extent = Double(max(layer.extent, 1))
            var own: [Weight] = []
            var features = layer.features()
            while let feature = try features.next() {
                var count: Double?
                var found: (place: Int, value: JSONValue)?
                var tags = feature.tags()
                while let tag = try tags.next() {
                    guard let place = keys.firstIndex(of: tag.key) else { continue }
                    let value = layer.value(at: tag.value).value.json
                    if place == 0 {
                        count = value.asNumber
                    } else if place < found?.place ?? .max {
                        found = (place, value)
                    }
                }
                guard let middle = try Self.middle(of: feature, isBin: count != nil) else {
                    continue
                }
                var weight = Weight(x: middle.x / extent, y: middle.y / extent, count: count ?? 1)
                weight.isCounted = count != nil
                weight.value = found?.value
                own.append(weight)
            }
            weights[layer.name, default: []] += own
        }
        return weights
    }

    /// Where a point is, or the middle of a bin; nil for other shapes.
    private static func middle(
        of feature: FeatureView, isBin: Bool
    ) throws(TileError) -> (x: Double, y: Double)? {
        if let point = feature.point { return (Double(point.x), Double(point.y)) }
        guard isBin, feature.type == .polygon, case .rings(let rings) = try feature.geometry(),
            let (xs, ys) = rings.first.map({ ($0.map(\.x), $0.map(\.y)) }),
            let west = xs.min(), let east = xs.max(), let north = ys.min(), let south = ys.max()
        else { return nil }
        return ((Double(west) + Double(east)) / 2, (Double(north) + Double(south)) / 2)
    }

    /// A feature with its attributes; nil if they are more than there is room for.
    private static func take(
        _ feature: FeatureView, of layer: LayerView, _ bytesLeft: inout Int
    ) throws(TileError) -> Feature? {
        var properties = JSONObject()
        var tags = feature.tags()
        while let tag = try tags.next() {
            bytesLeft -= layer.keyBytes(at: tag.key).count + layer.value(at: tag.value).bytes.count
            if bytesLeft < 0 { return nil }
            let value = layer.value(at: tag.value).value.json
            properties.members.append(.init(key: layer.key(at: tag.key), value: value))
        }
        return Feature(layer: layer.name, properties: properties)
    }
}
