import ArchiveContract

/// The clusters that no block holds: the overview leads to them, and no page of ids does.
struct LargeIDs: Sendable {
    private let keys: Set<ClusterKey>
    /// Most clusters form deeper than any of these.
    private let deepest: UInt8

    init(_ large: [LargeCluster], in table: LeafBlockTable) {
        keys = Set(large.map { $0.key(in: table) })
        deepest = large.map(\.zoom).max() ?? 0
    }

    /// - Parameter leaf: the first of the cluster.
    func contain(_ id: Int64, from leaf: Int64) -> Bool {
        let zoom = UInt8(PlaceID(id)?.zoom ?? 0)
        return zoom <= deepest && keys.contains(ClusterKey(firstLeaf: leaf, zoom: zoom))
    }
}
