import ArchiveContract

/// Goes through the rows of an archive's cluster index in the order of their keys, which is a walk down the
/// hierarchy: a cluster, then the clusters in it.
///
///     var scan = try archive.scanClusters()
///     while let row = try scan.next() { use(row) }
public struct ClusterScan: ~Copyable {
    private let walk: any ClusterWalk

    init(_ walk: any ClusterWalk) { self.walk = walk }

    /// The next row; nil after the last.
    public mutating func next() throws(ArchiveError) -> ClusterRow? { try walk.next() }
}

// It owns its walk alone, and every use that moves it is exclusive.
extension ClusterScan: @unchecked Sendable {}
