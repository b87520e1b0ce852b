import Points

/// The groups of a table's points by the value of an attribute; each group has its own hierarchy.
public enum PointGroups {
    /// Splits rows by group. The key of a group is its packed value; empty bytes stand for no value.
    public static func rows(
        _ rows: Column<UInt32>, of points: PointTable, by name: String?
    ) -> [[UInt8]: Column<UInt32>] {
        guard let name else { return [[]: rows] }
        let key = points.attributes.keys.intern(name)
        var groups: [[UInt8]: Column<UInt32>] = [:]
        for index in 0..<rows.count {
            let row = rows[index]
            groups[packed(key, of: points, row: Int(row)), default: Column()].append(row)
        }
        return groups
    }

    /// The rows of each group, in the order in which the groups lie in a tree; without `groupBy` one group of all
    /// rows, which are not listed.
    static func parts(
        of points: PointTable, _ options: ClusterOptions
    ) throws(ClusteringError) -> [(value: AttributeValue?, rows: Column<UInt32>?)] {
        guard let name = options.groupBy else { return [(nil, nil)] }
        guard points.attributes.keys.key(named: name) != nil else {
            throw .contradiction("groupBy: no point has an attribute '\(name)'")
        }
        let groups = rows(Column(0..<UInt32(points.count)), of: points, by: name)
        return inOrder(groups.keys).map { (value(of: $0), groups[$0]) }
    }

    /// The keys of groups in the order in which the groups lie in a tree.
    public static func inOrder(_ groups: some Sequence<[UInt8]>) -> [[UInt8]] {
        groups.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The value of a group, by its key.
    public static func value(of packed: [UInt8]) -> AttributeValue? {
        packed.isEmpty ? nil : PackedValue(packed.span).unpacked
    }

    static func packed(_ key: AttributeKey, of points: PointTable, row: Int) -> [UInt8] {
        guard let value = points.attributes[row].value(of: key) else { return [] }
        return value.bytes.indices.map { value.bytes[$0] }
    }
}
