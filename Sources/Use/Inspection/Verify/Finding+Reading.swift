import VectorTile

extension FindingList {
    /// Takes note that protobuf-c does not see a tile as Covey's own reader does.
    /// - Parameter tile: what to write in front of where in the tile that is.
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
