import Points

/// The rows of a table, split by the value of an attribute.
struct GroupSplit {
    struct Part {
        var value: AttributeValue?
        /// The rows of the group; nil for all rows.
        var rows: Column<UInt32>?
    }

    /// The parts in the order of their values' packed bytes; points without a value come first.
    let parts: [Part]

    init(_ points: PointTable, _ options: ClusterOptions) throws(ClusteringError) {
        guard let name = options.groupBy else {
            parts = [Part(value: nil, rows: nil)]
            return
        }
        guard points.attributes.keys.key(named: name) != nil else {
            throw .contradiction("groupBy: no point has an attribute '\(name)'")
        }
        let groups = PointGroups.rows(
            Column(0..<UInt32(points.count)), of: points, by: name)
        parts = PointGroups.inOrder(groups.keys).map {
            Part(value: PointGroups.value(of: $0), rows: groups[$0])
        }
    }
}
