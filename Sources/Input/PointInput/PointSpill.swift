import Points

/// Where points go that are not to stay in memory while they are read.
public protocol PointSpill: AnyObject, Sendable {
    /// How many points it has taken.
    var count: Int { get }

    /// May take all points of the table, after each piece of an input.
    func take(_ table: inout PointTable, of input: String) throws(InputError)

    /// Forgets all points, taken or not, but the first so many.
    func goBack(to count: Int, _ table: inout PointTable, of input: String) throws(InputError)
}
