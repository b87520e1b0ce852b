import Points

/// Where points go that are not to stay in memory while they are read.
public protocol PointSpill: AnyObject, Sendable {
    /// How many points it has taken.
    var count: Int { get }

    /// An input begins behind so many points, those that are still in the table among them.
    func beginInput(behind count: Int)

    /// May take points of the table, the first first, after each piece of an input.
    func take(_ table: inout PointTable, of input: String) throws(InputError)

    /// Forgets all points of the input, taken or not.
    func startAgain(_ table: inout PointTable)
}
