import Basics
import Points

/// The value of the grouping attribute that each cluster carries: all points of a cluster share it.
struct GroupValues: Sendable {
    /// The packed attribute of each group that has a value, in the order of the clusters.
    private let groups: [(clusters: Range<Int>, record: [UInt8])]

    init(_ all: [ClusterTree.Group], _ options: ClusterOptions, _ points: PointTable) {
        // An inherited attribute is in the record already.
        guard let name = options.groupBy, !options.inherit.contains(name) else {
            groups = []
            return
        }
        let key = points.attributes.keys.intern(name)
        groups = all.compactMap { group in
            guard let value = group.value, !group.clusters.isEmpty else { return nil }
            var record = RecordBuilder()
            record.append(key, value)
            return (group.clusters, record.bytes)
        }
    }

    /// - Complexity: O(log groups).
    func append(_ cluster: Int, to records: inout RecordBuilder) {
        guard !groups.isEmpty else { return }
        let group = groups.indices.partitionPoint { groups[$0].clusters.upperBound > cluster }
        guard group < groups.count, groups[group].clusters.contains(cluster) else { return }
        records.append(packed: groups[group].record)
    }
}
