import JSON
import PointInput

/// How a layer's sources are read.
public struct InputRecipe: Equatable, Sendable {
    public var format: InputFormat?
    public var encoding: TextEncoding?
    public var table: String?
    public var sql: String?
    public var x: String?
    public var y: String?
    public var id: String?
    /// Whether points get their ordinal in the input as feature id.
    public var generateID = false
    public var include: [String]?
    public var exclude: [String] = []
    public var types: [String: AttributeKind] = [:]
    /// An expression of the style specification; points for which it isn't true are left out.
    public var filter: JSONValue?
    /// What becomes of attributes that are called as clusters' own are.
    public var reservedNames = ReservedNames.refuse
    public var skipInvalid = InputOptions.Tolerance.none
    public var skipNonPoints = false
    public var crs: CoordinateSystem?

    public init() {}
}

/// What becomes of attributes of the input by whose names clients tell a cluster from a point.
public enum ReservedNames: String, CaseIterable, Sendable {
    /// The build ends with an error that names them.
    case refuse
    /// They get a name of their own, `input_point_count`.
    case rename
    /// They are left out.
    case drop
}
