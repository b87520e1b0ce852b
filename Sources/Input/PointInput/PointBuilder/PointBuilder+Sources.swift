extension PointBuilder {
    /// Whether the input's own numbers become ids, as the options name no attribute for that.
    var takesIDsFromInput: Bool { options.idAttribute == nil }

    /// Notes that a column has values that a tile can't hold.
    mutating func noteBinary(_ column: String) {
        note("left out the binary values of \(Snippet.of(column))")
    }
}
