import Points

/// The points below the nodes that were handed up, of which the zooms above hold none in memory.
///
/// They are numbered through: first those below the first node, in the order of the leaves of its cell.
/// One that cannot be read has any position; its store reports the failure afterwards.
public protocol HandedUpMembers: Sendable {
    /// Appends where some of them lie, in their order.
    func append(_ members: Range<Int>, to places: inout MemberPlaces)

    /// A record for each of some of them, with the attributes that clusters inherit at least.
    func records(of members: [Int]) -> AttributeTable
}

/// Where points lie in the unit square, and their weights.
public struct MemberPlaces: Sendable {
    public var xs: [Double] = []
    public var ys: [Double] = []
    public var weights: [Double] = []

    public init() {}

    mutating func removeAll() {
        xs.removeAll(keepingCapacity: true)
        ys.removeAll(keepingCapacity: true)
        weights.removeAll(keepingCapacity: true)
    }
}

extension CellPiece {
    /// Where some leaves of the cell's tree lie; `table` is of the points that were clustered.
    public func places(
        ofLeaves leaves: Range<Int>, in table: PointTable, options: ClusterOptions
    ) -> MemberPlaces {
        var places = MemberPlaces()
        for leaf in leaves {
            let row = Int(columns.leafRows[leaf])
            let place = ClusterInput.place(table.position(of: row), wraps: options.wrap)
            places.xs.append(place.x)
            places.ys.append(place.y)
            places.weights.append(table.weights?[row] ?? 1)
        }
        return places
    }

    /// How many points there are below the nodes that it hands up, these included.
    public var leafCount: Int { columns.leafRows.count }

    /// The row of a leaf among the points that were clustered.
    public func row(ofLeaf leaf: Int) -> Int { Int(columns.leafRows[leaf]) }
}
