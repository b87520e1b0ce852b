import ParallelColumns
import Points

/// Points grouped by a number that each has, with what a cluster of each group's points would carry.
public struct PointSets: Sendable {
    /// The numbers, ascending, each once.
    public let numbers: Column<Int64>
    /// The number of points with each number.
    public let counts: Column<Int>
    /// A packed record for each number: the aggregates and facets that are asked for.
    public let attributes: AttributeTable

    /// - Parameters:
    ///   - points: the table of the rows.
    ///   - rows: the points, in the order in which their values are merged.
    ///   - options: the options with the aggregates and facets.
    ///   - bits: the most bits that a number takes.
    ///   - threads: how many threads work at once.
    ///   - number: returns the number of the point in a row.
    /// - Complexity: O(n) for each 11 bits of the numbers, and for each aggregate.
    public init(
        of points: PointTable, rows: Column<UInt32>, options: ClusterOptions, bits: Int,
        threads: Int,
        number: @Sendable (_ row: Int) -> Int64
    ) {
        var reduced = ClusterOptions()
        reduced.aggregates = options.aggregates
        reduced.facets = options.facets
        reduced.clusterProperties = options.clusterProperties
        let columns = TreeColumns(of: rows, bits: bits, threads: threads, number: number)
        var numbers = Column<Int64>(capacity: columns.nodes.firsts.count)
        for set in 0..<columns.nodes.firsts.count {
            numbers.append(number(Int(columns.leafRows[columns.nodes.firsts[set]])))
        }
        self.numbers = numbers
        counts = columns.nodes.leaves
        attributes = Workers.with(threads, expecting: 16 * rows.count) { workers in
            AttributeReduction.run(columns, [], points, reduced, workers).attributes
        }
    }
}

extension TreeColumns {
    /// Clusters without parents, one for each number that a point has; positions are left out.
    fileprivate init(
        of rows: Column<UInt32>, bits: Int, threads: Int, number: @Sendable (_ row: Int) -> Int64
    ) {
        self.init()
        leafRows = Column(capacity: rows.count)
        let scratch = 2 * MemoryLayout<SortEntry>.stride * rows.count
        Workers.with(threads, expecting: scratch) { workers in
            let order = RadixSort.order(of: rows.count, bits: bits, workers: workers) {
                UInt64(number(Int(rows[$0])))
            }
            for leaf in 0..<order.count {
                if leaf == 0 || order[leaf].key != order[leaf - 1].key {
                    nodes.firsts.append(leaf)
                    nodes.leaves.append(0)
                }
                nodes.leaves[nodes.leaves.count - 1] += 1
                leafRows.append(rows[Int(order[leaf].item)])
            }
        }
        parents = Column(repeating: ClusterTree.noParent, count: nodes.firsts.count)
        // Every point is in a cluster.
        leafParents = Column(repeating: 0, count: rows.count)
    }
}
