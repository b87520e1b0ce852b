/// What the file of a stranger may make SQLite do.
public struct ForeignLimits: Sendable {
    /// How long a text or blob may be.
    public var valueBytes: Int32 = 64 << 20
    /// How much all such files of this process may make SQLite put into temporary files, for sorting
    /// or for a view's rows.
    public var temporaryBytes: Int64 = 1 << 30
    /// How long a statement may run without giving a row.
    public var secondsWithoutRow = 60.0
    /// Asked some ten times a second while a statement runs; true ends it.
    public var isCancelled: @Sendable () -> Bool = { false }

    public init() {}
}
