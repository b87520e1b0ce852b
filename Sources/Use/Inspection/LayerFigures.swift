import Basics
import Geometry
import TileArchive
import VectorTile

/// The figures of a layer over all tiles of an archive, or in one tile.
public struct LayerFigures: Sendable {
    /// The name as it is written in tiles.
    let nameBytes: [UInt8]
    public internal(set) var versions: ClosedRange<UInt32>
    public internal(set) var extents: ClosedRange<UInt32>
    public internal(set) var zooms: ClosedRange<UInt8>
    /// The number of tiles that have the layer.
    public internal(set) var tiles = 0
    /// Features by geometry type, in the order of `GeometryType`'s numbers (MVT 4.3.4).
    public internal(set) var featuresByType = [0, 0, 0, 0]
    /// Features that break a rule and were left out.
    public internal(set) var skippedFeatures = 0
    public internal(set) var clusters = 0
    /// Bytes of the inflated layer, and of its parts; the rest is headers.
    public internal(set) var bytes = 0
    public internal(set) var geometryBytes = 0
    public internal(set) var tagBytes = 0
    public internal(set) var keyBytes = 0
    public internal(set) var valueBytes = 0
    public internal(set) var attributes: [AttributeFigures] = []
    /// Whether there were more attributes than the limit.
    public internal(set) var hasMoreAttributes = false
    /// The box of the single points inside their tiles at each zoom, in the unit square.
    var boxes: [UInt8: WorldBox] = [:]
    /// The number of points inside their tiles by zoom; a cluster counts as all of its points.
    var pointsByZoom: [UInt8: Int] = [:]
    /// Clusters whose numbers are stored as fractions.
    var fractions = 0
    /// Whether it is a companion layer, made from another layer.
    public internal(set) var isCompanion = false
    private var indexOfHash: [UInt64: Int] = [:]

    /// The most attributes for which a layer has figures: a limit for the memory if an archive
    /// makes a key of each value.
    static let mostAttributes = 10_000

    init(_ layer: borrowing LayerView, zoom: UInt8) {
        nameBytes = layer.nameBytes.copied
        versions = layer.version...layer.version
        extents = layer.extent...layer.extent
        zooms = zoom...zoom
    }

    /// A layer like another, without counts.
    init(beside other: LayerFigures) {
        (nameBytes, versions, extents, zooms) = (
            other.nameBytes, other.versions, other.extents, other.zooms
        )
    }

    public var name: String { String(decoding: nameBytes, as: UTF8.self) }
    public var features: Int { featuresByType.reduce(0, +) }

    public func features(of type: GeometryType) -> Int { featuresByType[Int(type.rawValue)] }

    /// The index of the attribute with a key, which is added if it is new; nil if there are too
    /// many.
    mutating func index(ofKey key: Span<UInt8>, hash: UInt64) -> Int? {
        var hash = hash
        while let index = indexOfHash[hash] {
            if key.holdsSame(as: attributes[index].key) { return index }
            hash &+= 1
        }
        guard attributes.count < Self.mostAttributes else {
            hasMoreAttributes = true
            return nil
        }
        indexOfHash[hash] = attributes.count
        attributes.append(AttributeFigures(key: key.copied))
        return attributes.count - 1
    }

    /// Notes the extent and version of a layer of that name in another tile.
    mutating func include(_ layer: borrowing LayerView, zoom: UInt8) {
        versions = versions.hull(layer.version...layer.version)
        extents = extents.hull(layer.extent...layer.extent)
        zooms = zooms.hull(zoom...zoom)
    }

    /// Adds the figures of later tiles, or of a group whose first tile they are for.
    mutating func merge(_ other: LayerFigures, over group: TileGroup? = nil) {
        let times = group?.count ?? 1
        versions = versions.hull(other.versions)
        extents = extents.hull(other.extents)
        zooms = zooms.hull(other.zooms)
        tiles += other.tiles * times
        for type in featuresByType.indices {
            featuresByType[type] += other.featuresByType[type] * times
        }
        skippedFeatures += other.skippedFeatures * times
        clusters += other.clusters * times
        fractions += other.fractions * times
        isCompanion = isCompanion || other.isCompanion
        bytes += other.bytes * times
        geometryBytes += other.geometryBytes * times
        tagBytes += other.tagBytes * times
        keyBytes += other.keyBytes * times
        valueBytes += other.valueBytes * times
        for attribute in other.attributes {
            let key = attribute.key.span
            guard let index = index(ofKey: key, hash: Fingerprint.hash(of: key)) else { break }
            attributes[index].merge(attribute, times: times)
        }
        hasMoreAttributes = hasMoreAttributes || other.hasMoreAttributes
        pointsByZoom.merge(other.pointsByZoom.mapValues { $0 &* times }, uniquingKeysWith: &+)
        for (zoom, box) in other.boxes {
            boxes[zoom, default: .empty].include(group.map(box.moved) ?? box)
        }
    }
}

extension WorldBox {
    /// The box for all tiles of a group, from that of its first tile.
    fileprivate func moved(over group: TileGroup) -> WorldBox {
        let (tile, width) = (group.first, group.first.width)
        func moved(_ edge: Double, from first: UInt32, to last: UInt32) -> Double {
            edge + (Double(last) - Double(first)) * width
        }
        return WorldBox(
            minX: moved(minX, from: tile.x, to: group.columns.lowerBound),
            minY: moved(minY, from: tile.y, to: group.rows.lowerBound),
            maxX: moved(maxX, from: tile.x, to: group.columns.upperBound),
            maxY: moved(maxY, from: tile.y, to: group.rows.upperBound))
    }
}
