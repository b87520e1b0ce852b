import Points

/// The zoom from which each point takes part in clusters, if it is not the deepest for all.
///
/// So points in a crowd are clustered at zooms at which all others stay apart.
public struct EntryZooms: Sendable {
    /// The zoom of points in no crowd; from it upwards all points take part.
    public let usual: Int
    /// The zooms of the rows of a table, the usual one or deeper.
    private(set) var zooms: Column<Int8>

    public init(usual: Int, count: Int) {
        self.usual = usual
        zooms = Column(repeating: Int8(usual), count: count)
    }

    /// Makes a point take part from a zoom on.
    public mutating func set(_ row: Int, to zoom: Int) { zooms[row] = Int8(max(zoom, usual)) }

    public subscript(row: Int) -> Int { Int(zooms[row]) }
}
