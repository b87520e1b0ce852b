import Points

/// Takes points that should not stay in memory while the input is read.
public protocol PointSpill: AnyObject, Sendable {
    /// The number of points it has taken.
    var count: Int { get }

    /// Called when an input begins after `count` points, including those still in the table.
    func beginInput(behind count: Int)

    /// Called after each piece of an input; it may take the first points of the table.
    func take(_ table: inout PointTable, of input: String) throws(InputError)

    /// Discards all points of the input, taken or not.
    func startAgain(_ table: inout PointTable)
}
