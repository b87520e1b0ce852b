import Points

/// Why a cell, or a square above cells, has to be run again.
public enum CellFailure: Error {
    /// Something unknown may stand in the cell: it has to know more of the world around it.
    case marginTooNarrow
    /// A zoom took more passes than assumed, so no cell is certain.
    case tooManyPasses
}

extension CellPiece {
    /// The frontier's clusters and all below them, as a tree of their own. Leaves and clusters are numbered from
    /// 0, root after root, and roots are drawn from the cut zoom on.
    /// - Parameter cutZoom: the cut zoom of the cell.
    public func tree(cutZoom: Int) -> ClusterTree {
        ClusterTree(
            firstLeaf: 0, minZoom: cutZoom, columns: columns,
            groups: [
                ClusterTree.Group(
                    value: nil, leaves: 0..<columns.leafRows.count,
                    clusters: 0..<columns.nodes.firsts.count)
            ],
            attributes: attributes, skippedValues: skipped)
    }

    /// The first leaf of each node of the frontier, in their order.
    public var firstLeaves: Column<Int> {
        var firsts = Column<Int>(capacity: roots.count)
        for root in roots { firsts.append(root.leaves.lowerBound) }
        return firsts
    }

    /// The records of the clusters of the frontier, in their order.
    public var frontierRecords: AttributeTable {
        var records = AttributeTable(keys: keys)
        for root in roots where !root.clusters.isEmpty {
            records.append(record: root.clusters.lowerBound, of: attributes)
        }
        return records
    }

    /// Values that aggregates could not use.
    public var skippedValues: [SkippedValues] { skipped }
}
