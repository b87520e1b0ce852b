import JSON
import PointInput

/// The result of an update.
///
/// The records of changes are those added, replaced, superseded, marked, leaving or rejected.
public struct UpdateReport: Sendable {
    public let build: BuildReport
    public let added: Int
    public let replaced: Int
    public let removed: Int
    /// The number of deletions of points that are not there.
    public let unknown: Int
    /// The number of records with the mark of deletions.
    public let marked: Int
    /// The number of records of points of which a later record says something else.
    public let superseded: Int
    /// The number of records of points that an expression removes at once.
    public let leaving: Int
    /// The report about the records of changes.
    public let changes: InputReport
    /// What may be wrong with the changes: some of the notes of `changes`.
    public let warnings: [String]
    /// The job whose points now belong to another archive, so that the one before can no longer be updated; nil if there is none.
    public internal(set) var pointsTaken: String?

    init(build: BuildReport, _ update: UpdateInput) {
        self.build = build
        let tally = update.tally
        (added, replaced, removed, unknown) =
            (tally.added, tally.replaced, tally.removed, tally.unknown)
        (marked, superseded, leaving) = (tally.marked, tally.superseded, tally.leaving)
        (changes, warnings) = (update.report, update.warnings)
    }

    public var json: JSONValue {
        var object = build.json.asObject ?? [:]
        var update: JSONObject = [
            "added": .integer(Int64(added)), "replaced": .integer(Int64(replaced)),
            "removed": .integer(Int64(removed)), "unknown": .integer(Int64(unknown)),
            "records": .integer(Int64(changes.records)), "superseded": .integer(Int64(superseded)),
            "marked": .integer(Int64(marked)), "leaving": .integer(Int64(leaving)),
            "rejected": changes.rejectedJSON,
            "notes": .array(changes.notes.map(JSONValue.string)),
        ]
        if let pointsTaken { update["points_taken"] = .string(pointsTaken) }
        object["update"] = .object(update)
        return .object(object)
    }
}
