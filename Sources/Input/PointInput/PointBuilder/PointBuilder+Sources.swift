extension PointBuilder {
    /// Whether the input's own numbers become ids, because the options name no attribute for them.
    var takesIDsFromInput: Bool { options.idAttribute == nil }

    /// Notes that a column has values that a tile cannot hold.
    mutating func noteBinary(_ column: String) {
        note("left out the binary values of \(Snippet.of(column))")
    }
}
