import Geometry
import VectorTile

/// What a layer of an archive, or of one tile, holds over all its tiles.
public struct LayerFigures: Sendable {
    /// The name as it stands in tiles.
    let nameBytes: [UInt8]
    public internal(set) var versions: ClosedRange<UInt32>
    public internal(set) var extents: ClosedRange<UInt32>
    public internal(set) var zooms: ClosedRange<UInt8>
    /// How many tiles have the layer.
    public internal(set) var tiles = 0
    /// Features by geometry type, in the order of `GeometryType`'s numbers (MVT 4.3.4).
    public internal(set) var featuresByType = [0, 0, 0, 0]
    /// Features that break a rule and were left out.
    public internal(set) var skippedFeatures = 0
    public internal(set) var clusters = 0
    /// Bytes of the layer once inflated, and of its parts; the rest is headers.
    public internal(set) var bytes = 0
    public internal(set) var geometryBytes = 0
    public internal(set) var tagBytes = 0
    public internal(set) var keyBytes = 0
    public internal(set) var valueBytes = 0
    public internal(set) var attributes: [AttributeFigures] = []
    /// Whether there were more attributes than are told apart.
    public internal(set) var hasMoreAttributes = false
    /// What the in-tile single points at each zoom cover, in the unit square.
    var boxes: [UInt8: WorldBox] = [:]
    /// Points inside their tile by zoom, a cluster counting as all of its own.
    var pointsByZoom: [UInt8: Int] = [:]
    /// Clusters whose numbers are stored as fractions.
    var fractions = 0
    /// Whether it stands beside another layer and is made of it.
    public internal(set) var isCompanion = false
    private var indexOfHash: [UInt64: Int] = [:]

    /// How many attributes a layer's figures tell apart: this bounds the memory when an archive
    /// makes a key of each value.
    static let mostAttributes = 10_000

    init(_ layer: borrowing LayerView, zoom: UInt8) {
        nameBytes = unsafe layer.nameBytes.withUnsafeBufferPointer { unsafe [UInt8]($0) }
        versions = layer.version...layer.version
        extents = layer.extent...layer.extent
        zooms = zoom...zoom
    }

    public var name: String { String(decoding: nameBytes, as: UTF8.self) }
    public var features: Int { featuresByType.reduce(0, +) }

    public func features(of type: GeometryType) -> Int { featuresByType[Int(type.rawValue)] }

    /// The index of the attribute with that key, which is entered if it is new; nil when there
    /// are too many.
    mutating func index(ofKey key: Span<UInt8>) -> Int? {
        var hash = Fingerprint.hash(of: key)
        while let index = indexOfHash[hash] {
            if attributes[index].key.hasSameBytes(as: key) { return index }
            hash &+= 1
        }
        guard attributes.count < Self.mostAttributes else {
            hasMoreAttributes = true
            return nil
        }
        indexOfHash[hash] = attributes.count
        let copy = unsafe key.withUnsafeBufferPointer { unsafe [UInt8]($0) }
        attributes.append(AttributeFigures(key: copy))
        return attributes.count - 1
    }

    /// Takes note of how another tile's layer of that name is made.
    mutating func include(_ layer: borrowing LayerView, zoom: UInt8) {
        versions = versions.hull(layer.version...layer.version)
        extents = extents.hull(layer.extent...layer.extent)
        zooms = zooms.hull(zoom...zoom)
    }

    mutating func merge(_ other: LayerFigures) {
        versions = versions.hull(other.versions)
        extents = extents.hull(other.extents)
        zooms = zooms.hull(other.zooms)
        tiles += other.tiles
        for type in featuresByType.indices { featuresByType[type] += other.featuresByType[type] }
        skippedFeatures += other.skippedFeatures
        clusters += other.clusters
        fractions += other.fractions
        isCompanion = isCompanion || other.isCompanion
        bytes += other.bytes
        geometryBytes += other.geometryBytes
        tagBytes += other.tagBytes
        keyBytes += other.keyBytes
        valueBytes += other.valueBytes
        for attribute in other.attributes {
            guard let index = index(ofKey: attribute.key.span) else { break }
            attributes[index].merge(attribute)
        }
        hasMoreAttributes = hasMoreAttributes || other.hasMoreAttributes
        pointsByZoom.merge(other.pointsByZoom, uniquingKeysWith: &+)
        boxes.merge(other.boxes) { $0.union($1) }
    }
}

extension ClosedRange {
    func hull(_ other: ClosedRange) -> ClosedRange {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }

    func hull(_ other: ClosedRange?) -> ClosedRange { other.map(hull) ?? self }
}

extension WorldBox {
    func union(_ other: WorldBox) -> WorldBox {
        WorldBox(
            minX: min(minX, other.minX), minY: min(minY, other.minY),
            maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
    }
}

extension [UInt8] {
    func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
