/// What came of a cell in a phase.
public struct CellOutcome: Sendable {
    public var cell: String
    /// Whether it was not there already.
    public var isNew: Bool
    public var points: Int
    /// The points that it looked at, those around it included, and how often it had to.
    public var loadedPoints = 0
    public var attempts = 1
    /// The points and clusters of its trees.
    public var nodes = 0
}
