import Clustering
import Points

/// For each leaf, how many leaves share its place (itself included), and how many of these come
/// before it. These numbers decide where it is drawn, so a part of a tree carries them along.
struct CoincidentLeaves: Sendable {
    /// Empty where points are not spread.
    private(set) var ordinals = Column<UInt32>()
    private(set) var counts = Column<UInt32>()

    var isEmpty: Bool { counts.isEmpty }
    var count: Int { counts.count }

    /// Appends the numbers of another collection's leaf.
    mutating func append(_ leaf: Int, of other: CoincidentLeaves) {
        guard !other.isEmpty else { return }
        ordinals.append(other.ordinals[leaf])
        counts.append(other.counts[leaf])
    }

    /// Appends leaves that share their place with no other.
    mutating func append(single leaves: Int) {
        for _ in 0..<leaves {
            ordinals.append(0)
            counts.append(1)
        }
    }

    mutating func append(_ other: CoincidentLeaves) {
        ordinals.append(contentsOf: other.ordinals.span)
        counts.append(contentsOf: other.counts.span)
    }
}

extension CoincidentLeaves {
    /// The numbers for a whole tree. Leaves at one place follow one another within a hierarchy.
    init(of tree: ClusterTree, in table: PointTable) {
        self.init()
        let rows = tree.leafRows
        for group in tree.groups {
            var start = group.leaves.lowerBound
            while start < group.leaves.upperBound {
                let place = table.position(of: Int(rows[start]))
                var end = start + 1
                while end < group.leaves.upperBound,
                    table.position(of: Int(rows[end])) == place
                { end += 1 }
                for leaf in start..<end {
                    ordinals.append(UInt32(leaf - start))
                    counts.append(UInt32(end - start))
                }
                start = end
            }
        }
    }
}
