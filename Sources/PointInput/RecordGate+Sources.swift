extension RecordGate {
    /// Whether the input's own numbers become ids, as the options name no attribute for that.
    var takesIDsFromInput: Bool { options.idAttribute == nil }
}
