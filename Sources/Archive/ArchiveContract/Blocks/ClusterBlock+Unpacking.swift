extension ClusterBlock {
    /// Reads an index, and rejects values that could mislead a query.
    /// - Parameters:
    ///   - bytes: the first member of a payload, inflated.
    ///   - number: the number of the block.
    ///   - leaves: the leaves that it should have.
    ///   - around: the innermost large cluster that holds the block.
    public init(
        unpacking bytes: [UInt8], number: Int64, leaves: Range<Int64>, around: ClusterKey? = nil
    ) throws(ClusterBlockError) {
        let fields = try MessageFields(BlockField.index, of: bytes)
        guard fields.number(BlockField.leaves) == UInt64(leaves.count) else {
            throw .garbled("it does not have \(leaves.count) leaves")
        }
        let hull = try fields.points(BlockField.hull, most: leaves.count)
        guard fields.format > 1 else {
            guard fields.number(BlockField.block) == UInt64(number),
                fields.number(BlockField.first) == UInt64(leaves.lowerBound)
            else { throw .garbled("it belongs to another block") }
            // Some of the rows begin in other blocks.
            let rows = try RowColumns(fields, as: .ofBlock, most: Self.mostRowsOfFormat3).rows()
            self.init(leaves: leaves, hull: hull, rows: rows)
            return
        }
        // Each cluster has at least two children, so there are fewer rows than leaves.
        var columns = try RowColumns(fields, as: .ofBlock, most: leaves.count)
        columns.around = around
        columns.firstLeaf = leaves.lowerBound
        columns.origin = hull.first ?? columns.origin
        self.init(leaves: leaves, hull: hull, rows: try columns.rows())
        guard rows.allSatisfy({ $0.leaves.upperBound <= leaves.upperBound }) else {
            throw .garbled("a row extends beyond the end of the block")
        }
    }

    private static let mostRowsOfFormat3 = 1 << 20
}
