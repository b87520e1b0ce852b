import Expressions
import Geometry
import Points

/// The options of reading points, as the command line has them.
public struct InputOptions: Sendable {
    /// The format; nil if content and name decide.
    public var format: InputFormat?
    /// The encoding of text; nil if its first bytes decide.
    public var encoding: TextEncoding?
    /// Texts and numbers that mean no value.
    public var noData = NoData()
    /// What quotes in a table mean.
    public var quotes = TableQuotes.auto
    /// The columns of a table's coordinates; nil if their names decide.
    public var xColumn: String?
    public var yColumn: String?
    /// The attribute whose whole numbers become feature ids; it is then not kept as an attribute.
    public var idAttribute: String?
    /// The attribute with the points' weights; it is also kept as an attribute.
    public var weightAttribute: String?
    /// For changes of points: the attribute that is true in records that remove a point, which need no
    /// position. They become rows with a `PointTable.removal(at:)`, and so do records that are excluded.
    public var removalMark: String?
    /// For changes of points: the kinds of attributes among those.
    public var knownKinds: KnownKinds?
    /// The only attributes to keep; nil keeps all.
    public var included: Set<String>?
    /// Attributes that are named outside of these options, as aggregates name them.
    public var asked: Set<String> = []
    /// Attributes to exclude.
    public var excluded: Set<String> = []
    /// The kinds to which attributes are converted.
    public var kinds: [String: AttributeKind] = [:]
    /// Keeps only the records that it matches; it is evaluated on the attributes as in the input,
    /// converted, including those that are excluded.
    public var filter: Expression?
    /// Keeps only the points in this box.
    public var box: LonLatBox?
    /// A table from which points get additional attributes.
    public var join: JoinTable?
    /// The areas whose names points get.
    public var regions: Regions?
    /// Labels of moments that points get as attributes.
    public var labels: [DateLabel] = []
    public var tolerance = Tolerance.none
    /// Whether features that aren't points are skipped and counted instead of stopping the run.
    public var skipsNonPoints = false
    /// The point that represents a line or an area; nil rejects those.
    public var pointsFrom: PointsFrom?
    /// The coordinate system if the input declares none; nil means degrees.
    public var crs: CoordinateSystem?
    /// Whether longitude 180 is the world's east edge, for a world that doesn't wrap; otherwise it
    /// is the same meridian as −180.
    public var keepsEastEdge = false
    /// The table, view or SQL query that is read from a database.
    public var query: TableQuery?
    /// The number of threads that parse.
    public var threads = 1
    /// The folder of temporary files.
    public var temporaryDirectory = "/tmp"
    /// Called with every piece of an input; true cancels the reading.
    public var isCancelled: @Sendable () -> Bool = { false }

    /// Attributes that all points of an input get; nil is no value, whatever the input's own is.
    var values: [String: AttributeValue?] = [:]
    /// Whether unlikely positions are reported; those of a part of the data are unlikely by nature.
    public var tellsOddPlaces = true
    /// Whether records have no coordinates, as in tables used for look-up.
    var isPlaceless = false
    /// The approximate number of bytes that a worker takes at a time. Larger pieces cost memory and
    /// the processor's caches, smaller ones more synchronization.
    package var pieceSize = 1 << 18
    /// The limit of rows for the smallest view; that of a larger file may have a row for each byte.
    package var viewRows = 1 << 20
    /// The limit of bytes of a record.
    package var longestRecord = 1 << 28
    /// The limit of attribute names, in all inputs together. Each costs a kilobyte of memory, and a
    /// line of an archive's metadata.
    package var mostNames = 1 << 18

    public init() {}

    /// The options of reading a file beside the points, to look them up in.
    var forLookUp: InputOptions {
        var own = InputOptions()
        own.tellsOddPlaces = false
        own.threads = threads
        own.temporaryDirectory = temporaryDirectory
        own.isCancelled = isCancelled
        return own
    }

    /// Whether an attribute is to be excluded or converted.
    func changes(_ attribute: String) -> Bool {
        excluded.contains(attribute) || kinds[attribute] != nil
    }

    /// Whether an attribute is named anywhere in the options.
    func asks(for attribute: String) -> Bool {
        let single = [idAttribute, weightAttribute, removalMark, join?.column]
        return single.contains(attribute) || asked.contains(attribute) || changes(attribute)
            || included?.contains(attribute) ?? false
            || filter?.attributeNames.contains(attribute) ?? false
    }

    /// How invalid records are treated.
    public enum Tolerance: Sendable, Equatable {
        /// The first one ends the run.
        case none
        case atMost(Int)
        case all
    }
}

/// The kind to which an attribute's values are converted.
public enum AttributeKind: String, Sendable, CaseIterable {
    case text, integer, number, bool
}

/// The rows of a database to read.
public enum TableQuery: Sendable, Equatable {
    case table(String)
    case sql(String)
}
