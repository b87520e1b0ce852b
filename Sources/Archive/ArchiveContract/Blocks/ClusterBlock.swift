import Basics

/// The clusters of a leaf block: the index before the block's points in its payload (docs/pmtiles.md). Leaves are
/// numbered as in the whole archive here, and from the block's first leaf in packed form.
public struct ClusterBlock: Equatable, Sendable {
    /// The numbers of its leaves.
    public var leaves: Range<Int64>
    /// The corners of the hull of its points.
    public var hull: [GridPoint]
    /// The clusters in the block, by ascending key. Up to format 3, those that begin in it and their ancestors.
    public var rows: [ClusterRecord]

    public init(leaves: Range<Int64>, hull: [GridPoint], rows: [ClusterRecord]) {
        self.leaves = leaves
        self.hull = hull
        self.rows = rows
    }

    /// The format of the index that a build writes.
    public static let format: UInt64 = 2
    /// Far more than the index of any build; a payload that is larger when inflated is rejected.
    public static let largestIndex = 16 << 20

    /// The clusters that begin in the block.
    public var beginning: ArraySlice<ClusterRecord> {
        rows[index(from: leaves.lowerBound << 5)..<index(from: leaves.upperBound << 5)]
    }

    /// The index of the first row whose packed key is not below a bound.
    /// - Complexity: O(log n).
    public func index(from bound: Int64) -> Int {
        rows.indices.partitionPoint { rows[$0].key.packed >= bound }
    }

    /// The row with a key, if the block has it.
    public func row(_ key: ClusterKey) -> ClusterRecord? {
        let index = index(from: key.packed)
        return index < rows.count && rows[index].key == key ? rows[index] : nil
    }
}
