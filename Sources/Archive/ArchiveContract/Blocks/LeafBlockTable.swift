/// How the leaves of an archive are cut into blocks.
public struct LeafBlockTable: Equatable, Sendable {
    private enum Cut: Equatable, Sendable {
        /// To format 3 blocks have equally many; the last may be short.
        case equal(Int64)
        /// Where each block begins, and where the last ends.
        case bounds([Int64])
    }

    private let cut: Cut
    /// How many blocks there are.
    public let count: Int64
    public let leafCount: Int64

    /// Equal blocks.
    public init(_ layout: LeafBlockLayout, leafCount: Int64) {
        let size = layout.leavesPerBlock
        cut = .equal(size)
        count = (leafCount + size - 1) / size
        self.leafCount = leafCount
    }

    /// Blocks of so many leaves each; nil where they are more than an archive has.
    public init?(counts: [Int64]) {
        var bounds: [Int64] = [0]
        bounds.reserveCapacity(counts.count + 1)
        var end: Int64 = 0
        for count in counts {
            guard count > 0, ContractNumber.leaves.holds(count),
                ContractNumber.leaves.holds(end + count)
            else { return nil }
            end += count
            bounds.append(end)
        }
        cut = .bounds(bounds)
        count = Int64(counts.count)
        leafCount = end
    }

    /// The block that holds a leaf; `count` or more behind the last leaf.
    /// - Complexity: O(log blocks).
    public func block(ofLeaf leaf: Int64) -> Int64 {
        switch cut {
        case .equal(let size): leaf / size
        case .bounds(let bounds): Int64(bounds.indices.partitionPoint { bounds[$0] > leaf }) - 1
        }
    }

    /// The number of a block's first leaf.
    public func firstLeaf(ofBlock block: Int64) -> Int64 {
        switch cut {
        case .equal(let size): block * size
        case .bounds(let bounds): bounds[Int(min(max(block, 0), count))]
        }
    }

    public func leaves(ofBlock block: Int64) -> Range<Int64> {
        let first = firstLeaf(ofBlock: block)
        return first..<max(first, min(firstLeaf(ofBlock: block + 1), leafCount))
    }
}

extension LeafBlockTable {
    /// The blocks that have these leaves and no others, where they are several.
    package func wholeBlocks(_ leaves: Range<Int64>) -> Range<Int64>? {
        guard !leaves.isEmpty else { return nil }
        let blocks = block(ofLeaf: leaves.lowerBound)..<block(ofLeaf: leaves.upperBound - 1) + 1
        let isWhole =
            firstLeaf(ofBlock: blocks.lowerBound) == leaves.lowerBound
            && self.leaves(ofBlock: blocks.upperBound - 1).upperBound == leaves.upperBound
        return isWhole && blocks.count > 1 ? blocks : nil
    }
}

/// A range of leaves, block by block. Made as it is walked: an index may claim any number.
package struct BlockParts: Sequence, IteratorProtocol {
    package struct Part {
        package let block: Int64
        package let leaves: Range<Int64>
        fileprivate let all: Range<Int64>

        /// Where they stand in the block.
        package var indexes: Range<Int> {
            Int(leaves.lowerBound - all.lowerBound)..<Int(leaves.upperBound - all.lowerBound)
        }

        package var isWhole: Bool { leaves == all }
    }

    private var rest: Range<Int64>
    private let table: LeafBlockTable

    package init(of leaves: Range<Int64>, in table: LeafBlockTable) {
        rest = leaves.clamped(to: 0..<table.leafCount)
        self.table = table
    }

    package mutating func next() -> Part? {
        guard !rest.isEmpty else { return nil }
        let block = table.block(ofLeaf: rest.lowerBound)
        let all = table.leaves(ofBlock: block)
        let leaves = rest.clamped(to: all)
        rest = leaves.upperBound..<rest.upperBound
        return Part(block: block, leaves: leaves, all: all)
    }
}
