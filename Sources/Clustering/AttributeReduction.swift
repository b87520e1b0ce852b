import Points

/// Values of an attribute that an aggregate could not use.
public struct SkippedValues: Equatable, Sendable {
    public var aggregate: String
    public var count: Int
}

struct AttributeReduction {
    let points: PointTable
    init(
        _ columns: TreeColumns, _ points: PointTable, _ options: ClusterOptions, _ workers: Workers
    ) throws(ClusteringError) {
        self.points = points
    }
    func run() -> (attributes: AttributeTable, skipped: [SkippedValues]) {
        (AttributeTable(keys: points.attributes.keys), [])
    }
}
