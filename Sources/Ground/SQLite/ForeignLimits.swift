/// The limits of what an untrusted file may make SQLite do.
public struct ForeignLimits: Sendable {
    /// The longest text or blob.
    public var valueBytes: Int32 = 64 << 20
    /// The total size of SQLite's temporary files, for sorting or for a view's rows, over all such
    /// files of this process.
    public var temporaryBytes: Int64 = 1 << 30
    /// How long a statement may run without returning a row.
    public var secondsWithoutRow = 60.0
    /// Called about ten times a second while a statement runs; true ends it.
    public var isCancelled: @Sendable () -> Bool = { false }

    public init() {}
}
