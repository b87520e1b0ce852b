import ArchiveContract

/// The clusters that no block holds. They are found through the overview, not through the pages of ids.
struct LargeIDs: Sendable {
    private let keys: Set<ClusterKey>
    /// The deepest zoom of these; most clusters form deeper.
    private let deepest: UInt8

    init(_ large: [LargeCluster], in table: LeafBlockTable) {
        keys = Set(large.map { $0.key(in: table) })
        deepest = large.map(\.zoom).max() ?? 0
    }

    /// - Parameter leaf: the first leaf of the cluster.
    func contain(_ id: Int64, from leaf: Int64) -> Bool {
        let zoom = UInt8(PlaceID(id)?.zoom ?? 0)
        return zoom <= deepest && keys.contains(ClusterKey(firstLeaf: leaf, zoom: zoom))
    }
}
