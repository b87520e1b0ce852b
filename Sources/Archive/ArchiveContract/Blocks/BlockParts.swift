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
    private let layout: LeafBlockLayout

    package init(of leaves: Range<Int64>, in layout: LeafBlockLayout) {
        rest = leaves
        self.layout = layout
    }

    package mutating func next() -> Part? {
        guard !rest.isEmpty else { return nil }
        let block = layout.block(ofLeaf: rest.lowerBound)
        let all = layout.leaves(ofBlock: block)
        let leaves = rest.clamped(to: all)
        rest = leaves.upperBound..<rest.upperBound
        return Part(block: block, leaves: leaves, all: all)
    }
}
