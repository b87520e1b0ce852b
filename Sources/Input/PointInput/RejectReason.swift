/// Why a record did not become a point.
public enum RejectReason: String, Sendable, CaseIterable {
    /// Not well-formed: the text breaks the format's grammar.
    case syntax
    /// The input ends in the middle of the record.
    case truncated
    case invalidUTF8
    case tooDeep
    case tooLong
    /// A JSON object that is neither a feature nor a geometry.
    case notAFeature
    /// A geometry that isn't a point.
    case notAPoint
    /// No coordinates at all: a null geometry, blank cells.
    case noLocation
    /// Coordinates that are missing in part, or that are no finite numbers.
    case badCoordinates
    case latitudeOutOfRange
    /// More than one and a half times around the world.
    case longitudeOutOfRange
    /// A value that the kind asked for can't hold.
    case wrongKind
    case badWeight
    /// A filter left the record out.
    case filtered
    /// It lies outside of the box that is asked for.
    case outside

    /// How the record is dealt with.
    enum Class { case invalid, nonPoint, leftOut }

    var category: Class {
        switch self {
        case .notAPoint: .nonPoint
        case .noLocation, .filtered, .outside: .leftOut
        default: .invalid
        }
    }

    /// What to call a number of records that were counted out for this reason.
    public var phrase: String {
        switch self {
        case .syntax: "not well-formed"
        case .truncated: "cut off by the end of the input"
        case .invalidUTF8: "not valid UTF-8"
        case .tooDeep: "nested too deeply"
        case .tooLong: "too long"
        case .notAFeature: "neither feature nor geometry"
        case .notAPoint: "not points"
        case .noLocation: "without coordinates"
        case .badCoordinates: "with unusable coordinates"
        case .latitudeOutOfRange: "with a latitude beyond ±90"
        case .longitudeOutOfRange: "with a longitude beyond ±540"
        case .wrongKind: "with a value of the wrong kind"
        case .badWeight: "with an unusable weight"
        case .filtered: "left out by the filter"
        case .outside: "outside of the box"
        }
    }
}
