import VectorTile

extension FindingList {
    /// Notes that a tile breaks a rule of the format.
    /// - Parameter tile: the text to put before the place in the tile.
    mutating func add(_ finding: TileFinding, at tile: String = "") {
        add(
            finding.severity == .advice ? .warning : .error, "mvt-\(finding.rule.rawValue)",
            "\(finding.rule) (MVT \(finding.rule.section))", at: "\(tile)\(finding.location)")
    }

    /// Notes that protobuf-c reads a tile differently from Covey's reader.
    /// - Parameter tile: the text to put before the place in the tile.
    mutating func add(_ difference: ReadingDifference, at tile: String = "") {
        if difference.part == .memory {
            add(
                .error, "too-large", "a tile is too large to be checked", at: "\(tile)\(difference)"
            )
        } else {
            add(
                .error, "protobuf", "protobuf-c does not read a tile as covey does",
                at: "\(tile)\(difference)")
        }
    }
}
