/// A range of leaves, block by block. Made as it is walked: an index may claim any number.
package struct BlockParts: Sequence, IteratorProtocol {
    package struct Part {
        package let block: Int64
        package let leaves: Range<Int64>

        /// Where they stand in the block.
        package var indexes: Range<Int> {
            let start = LeafBlockLayout.firstLeaf(ofBlock: block)
            return Int(leaves.lowerBound - start)..<Int(leaves.upperBound - start)
        }

        package var isWhole: Bool { indexes.count == Int(LeafBlockLayout.leavesPerBlock) }
    }

    private var rest: Range<Int64>

    package init(of leaves: Range<Int64>) { rest = leaves }

    package mutating func next() -> Part? {
        guard !rest.isEmpty else { return nil }
        let block = LeafBlockLayout.block(ofLeaf: rest.lowerBound)
        let leaves = rest.clamped(to: LeafBlockLayout.leaves(ofBlock: block))
        rest = leaves.upperBound..<rest.upperBound
        return Part(block: block, leaves: leaves)
    }
}
