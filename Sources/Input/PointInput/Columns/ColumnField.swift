/// A column of a columnar file, of Arrow or Parquet.
struct ColumnField: Equatable, Sendable {
    /// The name, with the names of the structures that contain it, as `names.primary`.
    var name: String
    var kind: ColumnKind
    /// The encoding of its geometries, if the file declares one.
    var geometry: Geometry?
    /// Whether it is the file's primary geometry.
    var isPrimary = false
    /// The system that the file declares; nil leaves it to the options.
    var crs: CoordinateSystem?
    /// The column of geometries of whose boxes it is a side.
    var sideOf: String?

    /// The column of geometries that it is, or is a member of.
    var geometryName: String {
        geometry == .points ? name.split(separator: ".").dropLast().joined(separator: ".") : name
    }

    enum Geometry: Equatable, Sendable {
        /// Well-known binary; or a text, as in a CSV file.
        case wellKnown
        /// This column is one of a structure's `x`, `y` and further members.
        case points
        /// Lists of this many numbers each, of which the first two are `x` and `y`.
        case interleaved(dimensions: Int)
    }
}

/// The kind of a column's values and their memory layout.
enum ColumnKind: Equatable, Sendable {
    case nothing
    case integer(bytes: Int, isSigned: Bool)
    case half, float, double, bool
    case text(isLarge: Bool)
    case binary(isLarge: Bool)
    case fixedBinary(bytes: Int)
    case uuid
    /// Whole numbers in units of a power of ten.
    case decimal(bytes: Int, scale: Int, isBigEndian: Bool)
    /// Days since 1970, or milliseconds.
    case date(inDays: Bool)
    /// Units of which this many make a second.
    case timestamp(perSecond: Int64, isUTC: Bool)
    /// Values that attributes cannot hold.
    case other
    /// Run-end encoded values.
    case runs

    /// Longer values of a fixed size are neither points nor numbers.
    static let longestFixed = 1 << 10

    /// The size of a value in bytes, if it is fixed.
    var size: Int? {
        switch self {
        case .integer(let bytes, _), .fixedBinary(let bytes), .decimal(let bytes, _, _): bytes
        case .half: 2
        case .float: 4
        case .date(let inDays): inDays ? 4 : 8
        case .double, .timestamp: 8
        case .uuid: 16
        case .nothing, .bool, .text, .binary, .other, .runs: nil
        }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .half, .float, .double, .decimal: true
        default: false
        }
    }

    var isText: Bool { if case .text = self { true } else { false } }

    var isBinary: Bool {
        switch self {
        case .binary, .fixedBinary: true
        default: false
        }
    }
}
