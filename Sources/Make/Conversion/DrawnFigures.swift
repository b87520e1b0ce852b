import Compression
import Geometry
import TileArchive
import VectorTile

/// What metadata say about tiles: where features are drawn, and what layers carry.
struct DrawnFigures: Sendable {
    struct Layer: Sendable {
        var zooms: ClosedRange<UInt8>
        var fields: [String: ValueKinds] = [:]
    }

    /// The box around all positions that lie within their own tile.
    fileprivate(set) var box = WorldBox.empty
    fileprivate var layers: [String: Layer] = [:]

    mutating func merge(_ other: DrawnFigures) {
        box.include(other.box)
        layers.merge(other.layers) { a, b in
            Layer(
                zooms: a.zooms.hull(b.zooms), fields: a.fields.merging(b.fields) { $0.union($1) })
        }
    }

    /// Removes from `vector_layers` what no tile has. If tiles are left out, shallower ones show
    /// their layers at deeper zooms too.
    func describe(_ entries: inout [VectorLayer], leavesTilesOut: Bool) {
        entries.removeAll { layers[$0.id] == nil }
        for index in entries.indices {
            guard let layer = layers[entries[index].id] else { continue }
            entries[index].minZoom = entries[index].minZoom.map { _ in layer.zooms.lowerBound }
            if !leavesTilesOut {
                entries[index].maxZoom = entries[index].maxZoom.map { _ in layer.zooms.upperBound }
            }
            entries[index].fields = entries[index].fields.compactMap { field in
                layer.fields[field.name].map { $0.described(as: field) }
            }
        }
    }
}

/// The kinds of values that an attribute has.
package struct ValueKinds: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package static let number = ValueKinds(rawValue: 1)
    package static let boolean = ValueKinds(rawValue: 2)
    package static let string = ValueKinds(rawValue: 4)

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The kind of a value message (MVT 4.1), by its field number.
    package init(ofValue bytes: Span<UInt8>) {
        switch bytes[0] >> 3 {
        case 1: self = .string
        case 7: self = .boolean
        default: self = .number
        }
    }

    private static let types: [(kinds: ValueKinds, type: VectorLayer.FieldType)] = [
        (.number, .number), (.boolean, .boolean), (.string, .string),
    ]

    /// A type of TileJSON (3.3.1); nil for other words that programs use, such as Mixed.
    package init?(word: String) {
        guard let known = Self.types.first(where: { $0.type.rawValue == word }) else { return nil }
        self = known.kinds
    }

    /// The type in the words of TileJSON, or a list of mixed types.
    package var words: String {
        Self.types.filter { contains($0.kinds) }.map(\.type.rawValue).joined(separator: "|")
    }

    /// The field with the type of its values; a description that is not a type stays.
    fileprivate func described(as field: VectorLayer.Field) -> VectorLayer.Field {
        guard Self(word: field.type) != nil else { return field }
        let type = Self.types.first { $0.kinds == self }?.type
        return VectorLayer.Field(field.name, type ?? .string)
    }
}

/// Reads tiles, one batch after another. Each worker has its own.
struct FigureReader: ~Copyable {
    private var inflater = GzipInflater()
    /// The layers that the archive describes as companions of others.
    private let companions: Set<String>

    init(_ archive: Archive) {
        let layers = (try? archive.description?.get())?.layers ?? []
        companions = Set(layers.flatMap(\.companions).map(\.name))
    }

    /// Of a tile that cannot be read, the features before the fault count.
    mutating func figures(of batch: MovedTiles) -> DrawnFigures {
        var figures = DrawnFigures()
        for (index, tile) in batch.tiles.enumerated() {
            let stored = batch.bytes.span.extracting(batch.range(at: index))
            if GzipInflater.isGzip(stored) {
                guard let plain = try? inflater.inflate(stored, limit: TileLookup.largestTile)
                else { continue }
                try? figures.include(plain.span, of: tile, companions)
            } else {
                try? figures.include(stored, of: tile, companions)
            }
        }
        return figures
    }
}

extension DrawnFigures {
    fileprivate mutating func include(
        _ bytes: Span<UInt8>, of tile: TileID, _ companions: Set<String>
    ) throws(TileError) {
        var reader = try TileReader(bytes)
        while let layer = try reader.nextLayer() {
            let name = layer.name
            var entry = layers[name] ?? Layer(zooms: tile.z...tile.z)
            entry.zooms = entry.zooms.hull(tile.z...tile.z)
            var kinds = [ValueKinds](repeating: [], count: layer.keyCount)
            var features = layer.features()
            var hasFeatures = false
            let isCompanion = companions.contains(name)
            while let feature = try features.next() {
                hasFeatures = true
                // A leg may reach into other tiles and over the world's edge, but never further than points do.
                if !isCompanion || feature.point != nil {
                    box.include(feature, in: tile, extent: layer.extent)
                }
                var tags = feature.tags()
                while let tag = try tags.next() {
                    kinds[tag.key].formUnion(ValueKinds(ofValue: layer.value(at: tag.value).bytes))
                }
            }
            guard hasFeatures else { continue }
            for (key, kinds) in kinds.enumerated() where !kinds.isEmpty {
                entry.fields[layer.key(at: key), default: []].formUnion(kinds)
            }
            layers[name] = entry
        }
    }
}

extension WorldPoint {
    /// The place of a position of a tile's grid in the unit square, not wrapped.
    package init(_ position: TilePoint, in tile: TileID, extent: UInt32) {
        // An extent of 0 is reported elsewhere; this only avoids a division by zero.
        let scale = tile.width / Double(max(extent, 1))
        self.init(
            x: tile.origin.x + Double(position.x) * scale,
            y: tile.origin.y + Double(position.y) * scale)
    }
}

extension WorldBox {
    /// Extends the box by the positions of a feature within its tile; by a single point only in the
    /// tile that owns it.
    package mutating func include(
        _ feature: borrowing FeatureView, in tile: TileID, extent: UInt32
    ) {
        if let point = feature.point {
            let range = 0..<Int32(clamping: extent)
            if range.contains(point.x) && range.contains(point.y) {
                include(WorldPoint(point, in: tile, extent: extent))
            }
            return
        }
        guard let geometry = try? feature.geometry() else { return }
        let range = 0...Int32(clamping: extent)
        for position in geometry.positions
        where range.contains(position.x) && range.contains(position.y) {
            include(WorldPoint(position, in: tile, extent: extent))
        }
    }
}

extension TileGeometry {
    /// All positions of the geometry, one part after another.
    public var positions: [TilePoint] {
        switch self {
        case .points(let points): points
        case .lines(let parts), .rings(let parts): parts.flatMap { $0 }
        case .unknown: []
        }
    }
}
