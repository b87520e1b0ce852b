/// The division of an archive's leaves into blocks.
public struct LeafBlockTable: Equatable, Sendable {
    private enum Cut: Equatable, Sendable {
        /// Up to format 3, blocks of equal size; the last may be short.
        case equal(Int64)
        /// The first leaf of each block, and the end of the last.
        case bounds([Int64])
    }

    private let cut: Cut
    /// How many blocks there are.
    public let count: Int64
    public let leafCount: Int64

    /// Divides leaves into blocks of `size` leaves.
    public init(blocksOf size: Int64, leafCount: Int64) {
        cut = .equal(size)
        count = (leafCount + size - 1) / size
        self.leafCount = leafCount
    }

    /// Makes blocks of the given sizes; nil if that is more than an archive can have.
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

    /// The block that holds a leaf; `count` or more past the last leaf.
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
    /// The blocks that have exactly these leaves, if there are several.
    package func wholeBlocks(_ leaves: Range<Int64>) -> Range<Int64>? {
        guard !leaves.isEmpty else { return nil }
        let blocks = block(ofLeaf: leaves.lowerBound)..<block(ofLeaf: leaves.upperBound - 1) + 1
        let isWhole =
            firstLeaf(ofBlock: blocks.lowerBound) == leaves.lowerBound
            && self.leaves(ofBlock: blocks.upperBound - 1).upperBound == leaves.upperBound
        return isWhole && blocks.count > 1 ? blocks : nil
    }
}

/// A range of leaves, block by block. Parts are made during iteration, as an index may claim any number of
/// leaves.
package struct BlockParts: Sequence, IteratorProtocol {
    package struct Part {
        package let block: Int64
        package let leaves: Range<Int64>
        fileprivate let all: Range<Int64>

        /// The indexes of the leaves in the block.
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
