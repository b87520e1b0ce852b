import JSON

/// Points that stay in the parts of a job, for updates.
struct KeptParts: Equatable, Sendable {
    /// What the archive that was built of them calls them.
    let sum: String
    let parts: [String]
}

extension KeptParts {
    var json: JSONValue { ["sum": .string(sum), "parts": .array(parts.map(JSONValue.string))] }

    init?(_ json: JSONValue) {
        guard let object = json.asObject, let sum = object["sum"]?.asString,
            let parts = object["parts"]?.asArray?.compactMap(\.asString),
            parts.allSatisfy({ PartFolder.layer(of: $0) != nil })
        else { return nil }
        (self.sum, self.parts) = (sum, parts)
    }
}

extension JobPlan {
    /// The points of the job, where they stay.
    var kept: KeptParts? { points.map { KeptParts(sum: $0, parts: parts) } }

    /// The points of the archive that a job after this one takes the place of: of this, or of the one before where
    /// this has made none.
    func keptBefore(in folder: JobFolder) -> KeptParts? {
        guard let before, before.areThere(in: folder) else { return kept }
        return before
    }

    /// The points that an archive calls so.
    func kept(as sum: String, in folder: JobFolder) -> KeptParts? {
        [kept, before].compactMap(\.self).first { $0.sum == sum && $0.areThere(in: folder) }
    }
}

extension KeptParts {
    fileprivate func areThere(in folder: JobFolder) -> Bool {
        parts.allSatisfy { folder.has("\(PartFolder.path(in: folder))/\($0).head") }
    }
}
