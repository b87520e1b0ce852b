/// The result of a phase for one cell.
public struct CellOutcome: Sendable {
    public var cell: String
    /// Whether its file was made now, and was not there already.
    public var isNew: Bool
    public var points: Int
    /// The number of points that it looked at, including those around it, and how often it had to.
    public var loadedPoints = 0
    public var attempts = 1
    /// The number of points and clusters in its trees.
    public var nodes = 0
    /// Where the tiles of each zoom begin in its file, and then what is behind all tiles, with ranks that ascend: what has
    /// one rank in the files of many cells is read together.
    public var cuts: [(rank: Int, start: Int)] = []
}
