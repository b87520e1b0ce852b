import Basics

/// What a reader without a database is told about the clusters that begin in a leaf block: the
/// index that lies before the block's points in its payload (docs/pmtiles.md).
public struct ClusterBlock: Equatable, Sendable {
    /// Which block it is.
    public var number: Int64
    /// The numbers of its leaves.
    public var leaves: Range<Int64>
    /// The corners of the hull of its points.
    public var hull: [GridPoint]
    /// By ascending key: the clusters that are open where the block begins, those that begin in it,
    /// and the children of these that begin in later blocks.
    public var rows: [ClusterRecord]
    /// The shapes of those that begin in the block and end behind it, in their order.
    public var shapes: [ClusterShape]
    /// Leaves behind the block that are children of such clusters, by ascending number.
    public var copied: [Int64]
    /// A vector tile with these leaves.
    public var copies: [UInt8]

    public init(
        number: Int64, leaves: Range<Int64>, hull: [GridPoint], rows: [ClusterRecord],
        shapes: [ClusterShape] = [], copied: [Int64] = [], copies: [UInt8] = []
    ) {
        self.number = number
        self.leaves = leaves
        self.hull = hull
        self.rows = rows
        self.shapes = shapes
        self.copied = copied
        self.copies = copies
    }

    /// The format of the index that a build writes.
    public static let format: UInt64 = 1
    /// No build makes an index that comes near; what is larger when inflated is none.
    public static let largestIndex = 16 << 20
    /// How many leaves of each cluster are copied.
    public static let mostCopies = 64
    /// What all copies of a block may weigh together (`LeafWeights`).
    public static let mostCopiedWeight = 48_000
    /// How many leaves of a cluster a block has in any case: what is shown first of them.
    public static let firstLeaves: Int64 = 10

    /// The clusters that begin in the block.
    public var beginning: ArraySlice<ClusterRecord> {
        rows[index(from: leaves.lowerBound << 5)..<index(from: leaves.upperBound << 5)]
    }

    /// The place of the first row whose packed key is not below a bound.
    /// - Complexity: O(log n).
    public func index(from bound: Int64) -> Int {
        rows.indices.partitionPoint { rows[$0].key.packed >= bound }
    }

    /// The row with that key, if the block has it.
    public func row(_ key: ClusterKey) -> ClusterRecord? {
        let index = index(from: key.packed)
        return index < rows.count && rows[index].key == key ? rows[index] : nil
    }

    /// Whether a cluster begins in the block and ends behind it.
    public func reachesOver(_ record: ClusterRecord) -> Bool {
        leaves.contains(record.key.firstLeaf) && record.leaves.upperBound > leaves.upperBound
    }

    /// How many of the leaves that are worth a copy get one, from the first on, until they are too heavy together.
    public static func copies(ofLeavesWeighing weights: some Sequence<Int>) -> Int {
        var (count, total) = (0, 0)
        for weight in weights {
            total += weight
            guard total <= mostCopiedWeight else { break }
            count += 1
        }
        return count
    }

    /// The shape of a cluster that reaches over the block's end.
    public func shape(of key: ClusterKey) -> ClusterShape? {
        let reaching = beginning.filter(reachesOver)
        guard let index = reaching.firstIndex(where: { $0.key == key }),
            index < shapes.count
        else { return nil }
        return shapes[index]
    }

    /// The clusters into which one that begins in the block comes apart, in leaf order.
    public func children(of key: ClusterKey) -> [ClusterRecord] {
        rows[index(from: key.packed)...].filter { $0.parent == key }
    }
}
