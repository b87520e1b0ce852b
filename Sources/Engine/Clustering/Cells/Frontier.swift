import Points

/// The nodes that are alive at one zoom, as a cell hands them up to the zooms above: each once, and the same as
/// in the whole world.
public struct Frontier: Sendable {
    /// A row for each cluster, and for each point that is in no cluster.
    ///
    /// The row of a cluster has the position and the weight of its seed's first point, from which its rank
    /// follows, and the attributes that are asked for of the point that represents it.
    public var points: PointTable
    /// The clusters, in the order of their rows.
    public var clusters: [FrontierCluster] = []
    /// The place of each row in the order of visits, if that does not follow from the point.
    var visits = VisitKeys()

    public init(keys: AttributeKeys) { points = PointTable(keys: keys) }

    /// Appends nodes whose attributes have the same keys.
    public mutating func append(_ other: Frontier) {
        let first = UInt32(points.count)
        points.append(other.points)
        for var cluster in other.clusters {
            cluster.row += first
            clusters.append(cluster)
        }
        visits.append(other.visits)
    }
}

/// A cluster without its members: what the zooms above it need to know.
public struct FrontierCluster: Sendable {
    public var row: UInt32
    /// Where it is drawn.
    public var x: Double
    public var y: Double
    /// The zoom at which it formed.
    public var zoom: UInt8
    public var points: Int
    public var weight: Double
    /// How many sites it holds.
    public var sites: Int
    /// How many clusters there are below it, itself included.
    public var clusters: Int
    /// By aggregate, the state over its points so far; nil if no point had a value.
    public var states: [PartialState?]
}
