/// A record that did not become a point, with its location and the reason.
public struct Rejection: Error, Equatable, Sendable {
    public var reason: RejectReason
    /// The problem, as a continuation of "feature 7": `is a LineString`.
    public var problem: String
    public var location: RecordLocation
    /// A remedy that its reader knows, better than to leave such records out.
    var remedy: String?

    /// What can be done about it.
    public var advice: String {
        if let remedy { return remedy }
        return switch reason.category {
        case _ where reason == .noCenter:
            "ask Overpass for `out center`, or use --skip-non-points to leave such "
                + "\(location.noun)s out"
        case .nonPoint:
            "use --points-from centroid to take a point of each (or inside, or first), or "
                + "--skip-non-points to leave such \(location.noun)s out"
        case _ where reason == .invalidUTF8:
            "if it is in another encoding, name that, as --encoding windows-1252 does; "
                + "or use --skip-invalid to leave such \(location.noun)s out"
        case _ where reason == .wrongKind:
            "name values that mean none, as --nodata=NA does, so that only they are left out; "
                + "or use --skip-invalid to leave such \(location.noun)s out"
        case _ where reason == .badCoordinates && location.noun == "row":
            "if it means none, --nodata says so, as --nodata=NA; "
                + "or use --skip-invalid to leave such \(location.noun)s out"
        case .invalid where [.latitudeOutOfRange, .longitudeOutOfRange].contains(reason):
            "if only a few are so, use --skip-invalid to leave such \(location.noun)s out"
        case .invalid, .leftOut: "use --skip-invalid to leave such \(location.noun)s out"
        }
    }
}

/// The location of a record.
public struct RecordLocation: Equatable, Sendable {
    /// The input's name as the user gave it.
    public var input: String
    /// The format's word for a record.
    public var noun: String
    /// The record's number in its input, from 1.
    public var record: Int
    /// The line of the fault, from 1, if the input is text.
    public var line: Int?
    /// The byte of the fault, from 0, if the input is a stream of bytes.
    public var offset: Int?

    package init(
        input: String, noun: String, record: Int, line: Int? = nil, offset: Int? = nil
    ) {
        self.input = input
        self.noun = noun
        self.record = record
        self.line = line
        self.offset = offset
    }
}

extension RecordLocation: CustomStringConvertible {
    /// `points.geojson:1207: feature 1205`; a byte instead if many records share the first line.
    public var description: String {
        let name = "\(noun) \(record)"
        if let line, line > 1 || record == 1 { return "\(input):\(line): \(name)" }
        if let offset { return "\(input): byte \(offset): \(name)" }
        return "\(input): \(name)"
    }
}

extension Rejection: CustomStringConvertible {
    public var description: String { "\(location) \(problem)" }
}
