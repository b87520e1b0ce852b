/// Why a record did not become a point.
public enum RejectReason: String, Sendable, CaseIterable {
    /// Malformed: the text violates the format's grammar.
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
    /// A way or relation of OpenStreetMap without a center.
    case noCenter
    /// No coordinates: a null geometry, blank cells.
    case noLocation
    /// Coordinates that are incomplete or not finite numbers.
    case badCoordinates
    case latitudeOutOfRange
    /// More than one and a half times around the world.
    case longitudeOutOfRange
    /// A value that cannot be converted to the requested kind.
    case wrongKind
    case badWeight
    /// The filter excluded the record.
    case filtered
    /// It is outside of the requested box.
    case outside

    /// The reason and the problem of a geometry of another kind.
    static func notPoints(_ kind: String) -> (RejectReason, String) {
        (.notAPoint, "is a \(kind); clusters are made of points")
    }

    /// How the record is treated.
    enum Class { case invalid, nonPoint, leftOut }

    var category: Class {
        switch self {
        case .notAPoint, .noCenter: .nonPoint
        case .noLocation, .filtered, .outside: .leftOut
        default: .invalid
        }
    }

    /// The phrase for a number of records rejected for this reason.
    public var phrase: String {
        switch self {
        case .syntax: "not well-formed"
        case .truncated: "cut off by the end of the input"
        case .invalidUTF8: "not valid UTF-8"
        case .tooDeep: "nested too deeply"
        case .tooLong: "too long"
        case .notAFeature: "neither feature nor geometry"
        case .notAPoint: "not points"
        case .noCenter: "without a center"
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
