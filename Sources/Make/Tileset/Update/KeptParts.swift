import JSON

/// Points that stay in the parts of a job, for updates.
struct KeptParts: Equatable, Sendable {
    /// The sum by which the archive names its points.
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
    /// The points of the job, if they are kept.
    var kept: KeptParts? { points.map { KeptParts(sum: $0, parts: parts) } }

    /// The points of the archive that a later job replaces: that of this job, or of the one before
    /// if this one has made none.
    func keptBefore(in folder: JobFolder) -> KeptParts? {
        guard let before, before.areThere(in: folder) else { return kept }
        return before
    }

    /// The points that an archive names by a sum.
    func kept(as sum: String, in folder: JobFolder) -> KeptParts? {
        [kept, before].compactMap(\.self).first { $0.sum == sum && $0.areThere(in: folder) }
    }
}

extension KeptParts {
    fileprivate func areThere(in folder: JobFolder) -> Bool {
        parts.allSatisfy { folder.has("\(PartFolder.path(in: folder))/\($0).head") }
    }
}
