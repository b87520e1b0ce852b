import TileArchive

/// A range of leaves, block by block. Made as it is walked: an index may claim any number.
struct BlockParts: Sequence, IteratorProtocol {
    struct Part {
        let block: Int64
        let leaves: Range<Int64>

        /// Where they stand in the block.
        var places: Range<Int> {
            let start = block * ClusterIndex.leavesPerBlock
            return Int(leaves.lowerBound - start)..<Int(leaves.upperBound - start)
        }

        var isWhole: Bool { places.count == Int(ClusterIndex.leavesPerBlock) }
    }

    private var rest: Range<Int64>

    init(of leaves: Range<Int64>) { rest = leaves }

    mutating func next() -> Part? {
        guard !rest.isEmpty else { return nil }
        let size = ClusterIndex.leavesPerBlock
        let block = rest.lowerBound / size
        let leaves = rest.lowerBound..<Swift.min(rest.upperBound, (block + 1) * size)
        rest = leaves.upperBound..<rest.upperBound
        return Part(block: block, leaves: leaves)
    }
}
