/// A feature's geometry, unpacked.
///
/// The rings of polygons follow one another as they do in the tile: each exterior ring is followed
/// by its holes, and no ring repeats its first position at the end (MVT 4.3.4.4).
public enum TileGeometry: Hashable, Sendable {
    case points([TilePoint])
    case lines([[TilePoint]])
    case rings([[TilePoint]])
    /// The integers of a geometry of unknown type.
    case unknown([UInt32])

    public var type: GeometryType {
        switch self {
        case .points: .point
        case .lines: .lineString
        case .rings: .polygon
        case .unknown: .unknown
        }
    }
}
