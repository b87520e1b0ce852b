import ArchiveContract
import TileArchive

/// A range of leaves, block by block. Made as it is walked: an index may claim any number.
struct BlockParts: Sequence, IteratorProtocol {
    struct Part {
        let block: Int64
        let leaves: Range<Int64>

        /// Where they stand in the block.
        var places: Range<Int> {
            let start = LeafBlockLayout.firstLeaf(ofBlock: block)
            return Int(leaves.lowerBound - start)..<Int(leaves.upperBound - start)
        }

        var isWhole: Bool { places.count == Int(LeafBlockLayout.leavesPerBlock) }
    }

    private var rest: Range<Int64>

    init(of leaves: Range<Int64>) { rest = leaves }

    mutating func next() -> Part? {
        guard !rest.isEmpty else { return nil }
        let block = LeafBlockLayout.block(ofLeaf: rest.lowerBound)
        let leaves = rest.clamped(to: LeafBlockLayout.leaves(ofBlock: block))
        rest = leaves.upperBound..<rest.upperBound
        return Part(block: block, leaves: leaves)
    }
}
