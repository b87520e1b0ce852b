/// A column of a columnar file: Arrow's or Parquet's.
struct ColumnField: Equatable, Sendable {
    /// With the names of the structures that it is in, as `names.primary`.
    var name: String
    var kind: ColumnKind
    /// How it holds geometries, if the file says that it does.
    var geometry: Geometry?
    /// Whether the file is about these geometries.
    var isPrimary = false
    /// What the file declares; nil leaves it to the options.
    var crs: CoordinateSystem?

    enum Geometry: Equatable, Sendable {
        case wellKnownBinary
        /// This column is one of a structure's `x`, `y` and what else it has.
        case points
        /// Lists of so many numbers each, of which the first two are `x` and `y`.
        case interleaved(dimensions: Int)
    }
}

/// What a column's values are and how they lie in memory.
enum ColumnKind: Equatable, Sendable {
    case nothing
    case integer(bytes: Int, isSigned: Bool)
    case half, float, double, bool
    case text(isLarge: Bool)
    case binary(isLarge: Bool)
    case fixedBinary(bytes: Int)
    case uuid
    /// Whole numbers of units of ten to that power.
    case decimal(bytes: Int, scale: Int, isBigEndian: Bool)
    /// Days since 1970, or milliseconds.
    case date(inDays: Bool)
    /// So many of these make a second.
    case timestamp(perSecond: Int64, isUTC: Bool)
    /// Values of one size that no attribute can hold.
    case other

    /// Longer values of a fixed size are neither points nor numbers.
    static let longestFixed = 1 << 10

    /// How many bytes a value has, where that is fixed.
    var size: Int? {
        switch self {
        case .integer(let bytes, _), .fixedBinary(let bytes), .decimal(let bytes, _, _): bytes
        case .half: 2
        case .float: 4
        case .date(let inDays): inDays ? 4 : 8
        case .double, .timestamp: 8
        case .uuid: 16
        case .nothing, .bool, .text, .binary, .other: nil
        }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .half, .float, .double, .decimal: true
        default: false
        }
    }

    var isBinary: Bool {
        switch self {
        case .binary, .fixedBinary: true
        default: false
        }
    }
}
