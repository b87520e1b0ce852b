import Geometry
import JSON
import PointInput
import Points

/// How a layer's sources are read.
public struct InputRecipe: Equatable, Sendable {
    public var format: InputFormat?
    public var encoding: TextEncoding?
    public var quotes = TableQuotes.auto
    public var table: String?
    public var sql: String?
    public var x: String?
    public var y: String?
    public var id: String?
    /// Whether points get their ordinal in the input as feature id.
    public var generateID = false
    public var include: [String]?
    public var exclude: [String] = []
    /// Values that mean none.
    public var noData: [String] = []
    public var types: [String: AttributeKind] = [:]
    /// An expression of the style specification; points for which it isn't true are left out.
    public var filter: JSONValue?
    /// The box in which points are kept, in degrees.
    public var box: LonLatBox?
    /// What is done with attributes that have names which clusters use.
    public var reservedNames = ReservedNames.refuse
    /// The table from which points get more attributes.
    public var join: Join?
    /// The file of areas that points are looked up in, and the attribute that names the areas.
    public var regions: String?
    public var regionName: String?
    /// What makes points duplicates, of which one is kept.
    public var dedupe: PointTable.Sameness?
    public var skipInvalid = InputOptions.Tolerance.none
    public var skipNonPoints = false
    /// Which point is used for a line or an area.
    public var pointsFrom: PointsFrom?
    public var crs: CoordinateSystem?

    public init() {}
}

extension InputRecipe {
    /// A table of codes: its file, its column of codes, and the attribute of points with the code.
    public struct Join: Equatable, Sendable {
        public var file: String
        public var key: String
        public var column: String

        /// Reads `FILE:KEY=COLUMN`; nil for any other text.
        init?(_ text: String) {
            // Attributes may have colons in their names, as those of OSM have; so the file ends at the first colon after
            // an extension.
            let colons = text.indices.filter { text[$0] == ":" && text[$0...].contains("=") }
            guard
                let colon = colons.first(where: { text.hasExtension(before: $0) }) ?? colons.last,
                case let parts = text[text.index(after: colon)...]
                    .split(separator: "=", maxSplits: 1).map(String.init),
                parts.count == 2, colon > text.startIndex
            else { return nil }
            file = String(text[..<colon])
            (key, column) = (parts[0], parts[1])
        }

        public var text: String { "\(file):\(key)=\(column)" }
    }
}

extension String {
    /// Whether the name of a file with an extension ends here: what follows up to `=` is in no folder.
    fileprivate func hasExtension(before end: Index) -> Bool {
        !self[end...].prefix { $0 != "=" }.contains("/")
            && self[..<end].split(separator: "/").last?.contains(".") ?? false
    }
}

/// What is done with input attributes by whose names clients tell clusters from points.
public enum ReservedNames: String, CaseIterable, Sendable {
    /// The build ends with an error that names them.
    case refuse
    /// They get another name, such as `input_point_count`.
    case rename
    /// They are left out.
    case drop
}
