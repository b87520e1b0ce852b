import JSON
import PointInput

/// How a layer's sources are read.
public struct InputRecipe: Equatable, Sendable {
    public var format: InputFormat?
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
    public var skipInvalid = InputOptions.Tolerance.none
    public var skipNonPoints = false
    public var crs = CoordinateSystem.lonLat

    public init() {}
}
