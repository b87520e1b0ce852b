import Expressions
import Geometry
import Points

/// How points are read: the options of the command line that concern the input.
public struct InputOptions: Sendable {
    /// The format, where content and name should not decide.
    public var format: InputFormat?
    /// The encoding of text, where its first bytes should not decide.
    public var encoding: TextEncoding?
    /// The columns that hold the coordinates of a table, where their names don't tell.
    public var xColumn: String?
    public var yColumn: String?
    /// The attribute whose whole numbers become feature ids; it is no attribute any more then.
    public var idAttribute: String?
    /// The attribute that says how much a point weighs; it stays an attribute.
    public var weightAttribute: String?
    /// Of changes of points: the attribute that is true of records that take a point away, which need no place.
    /// They become rows with a `PointTable.removal(at:)`, and so do records that are left out.
    public var removalMark: String?
    /// The only attributes to keep; all if nil.
    public var included: Set<String>?
    /// Attributes to leave out.
    public var excluded: Set<String> = []
    /// The kinds that attributes are turned into.
    public var kinds: [String: AttributeKind] = [:]
    /// Keeps only the records that it matches; it sees the attributes as they are in the input,
    /// converted, and also those that are left out.
    public var filter: Expression?
    /// Keeps only the points in it.
    public var box: LonLatBox?
    /// A table by which points get more attributes.
    public var join: JoinTable?
    /// The areas whose names points get.
    public var regions: Regions?
    /// Labels of moments that points get.
    public var labels: [DateLabel] = []
    public var tolerance = Tolerance.none
    /// Leaves out features that aren't points, and counts them, instead of stopping.
    public var skipsNonPoints = false
    /// Which point stands for a line or an area; nil refuses those.
    public var pointsFrom: PointsFrom?
    /// What coordinates mean where the input doesn't say; nil stands for degrees.
    public var crs: CoordinateSystem?
    /// Whether longitude 180 is the world's east edge, as where the world doesn't wrap; otherwise it is
    /// the same meridian as −180.
    public var keepsEastEdge = false
    /// The table, view or SQL query that a database is read by.
    public var query: TableQuery?
    /// How many threads parse.
    public var threads = 1
    /// Where temporary files go.
    public var temporaryDirectory = "/tmp"
    /// Asked with every piece of an input; true gives up.
    public var isCancelled: @Sendable () -> Bool = { false }

    /// Attributes that all points of an input get.
    var values: [String: AttributeValue] = [:]
    /// Whether odd places are told of; what is a part of something is odd by itself.
    public var tellsOddPlaces = true
    /// Whether records have no coordinates: tables that are looked things up in.
    var isPlaceless = false
    /// How many bytes a worker takes at a time, more or less. More cost memory and the processor's
    /// caches, fewer hand-overs.
    package var pieceSize = 1 << 18
    /// How many rows the smallest view may have; one of a larger file may have a row a byte.
    package var viewRows = 1 << 20
    /// How many bytes a record may have.
    package var longestRecord = 1 << 28
    /// How many names attributes may have, in all inputs together. Each costs a kilobyte of memory, and a
    /// line of what an archive says of itself.
    package var mostNames = 1 << 18

    public init() {}

    /// What to do about records that are not valid.
    public enum Tolerance: Sendable, Equatable {
        /// The first one stops the run.
        case none
        case atMost(Int)
        case all
    }
}

/// What an attribute's values are turned into.
public enum AttributeKind: String, Sendable, CaseIterable {
    case text, integer, number, bool
}

/// Which rows of a database are read.
public enum TableQuery: Sendable, Equatable {
    case table(String)
    case sql(String)
}
