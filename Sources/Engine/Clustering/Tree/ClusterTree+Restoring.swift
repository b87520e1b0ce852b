import Expressions
import ParallelColumns
import Points

extension ClusterTree {
    /// A cluster of a stored tree: its leaves and the zoom at which it formed.
    public struct Interval: Hashable, Sendable {
        public var leaves: Range<Int>
        public var zoom: Int

        public init(leaves: Range<Int>, zoom: Int) {
            self.leaves = leaves
            self.zoom = zoom
        }
    }

    /// Restores a tree, and the attributes of all its clusters, from the points in leaf order and the intervals
    /// of the clusters.
    ///
    /// Positions and inherited attributes are not restored: it is not stored how members were put together, and
    /// which of them represents them. The intervals are in the order of a walk down the tree.
    /// - Returns: nil if the intervals do not nest.
    public init?(
        restoring intervals: [Interval], over points: PointTable, aggregates: [Aggregate],
        clusterProperties: [ClusterProperty], facets: [FacetLayout] = [], groupBy: String? = nil,
        firstLeaf: Int = 0,
        threads: Int
    ) {
        guard let columns = TreeColumns(intervals, leafCount: points.count) else { return nil }
        var options = ClusterOptions()
        options.aggregates = aggregates
        options.clusterProperties = clusterProperties
        options.facets = facets
        options.groupBy = groupBy
        let groups = columns.groups(of: points, by: groupBy)
        let reduction = Workers.with(threads, expecting: 16 * points.count) { workers in
            AttributeReduction.run(columns, groups, points, options, workers)
        }
        self.init(
            firstLeaf: firstLeaf, minZoom: 0, columns: columns, groups: groups,
            attributes: reduction.attributes, skippedValues: reduction.skipped)
    }
}

extension TreeColumns {
    /// Columns of nested clusters; positions are left at 0.
    fileprivate init?(_ intervals: [ClusterTree.Interval], leafCount: Int) {
        self.init()
        leafRows = Column(0..<UInt32(leafCount))
        leafParents = Column(repeating: ClusterTree.noParent, count: leafCount)
        nodes.leafParentZooms = Column(repeating: -1, count: leafCount)
        var open: [Int] = []
        var leaf = 0
        /// Gives the leaves before `end` to the innermost clusters around them.
        func passLeaves(upTo end: Int, _ columns: inout TreeColumns) {
            while leaf < end {
                while let top = open.last, intervals[top].leaves.upperBound <= leaf {
                    open.removeLast()
                }
                if let top = open.last {
                    columns.leafParents[leaf] = UInt32(top)
                    columns.nodes.leafParentZooms[leaf] = Int8(intervals[top].zoom)
                }
                leaf += 1
            }
        }
        for (number, interval) in intervals.enumerated() {
            guard interval.leaves.lowerBound >= leaf, interval.leaves.upperBound <= leafCount,
                (0...ClusterOptions.deepestZoom).contains(interval.zoom)
            else { return nil }
            passLeaves(upTo: interval.leaves.lowerBound, &self)
            while let top = open.last,
                intervals[top].leaves.upperBound <= interval.leaves.lowerBound
            { open.removeLast() }
            let parent = open.last.map { intervals[$0] }
            if let parent {
                guard interval.leaves.upperBound <= parent.leaves.upperBound,
                    interval.zoom > parent.zoom, interval.leaves.count < parent.leaves.count
                else { return nil }
            }
            append(interval, parent: open.last, parentZoom: parent?.zoom ?? -1)
            open.append(number)
        }
        passLeaves(upTo: leafCount, &self)
    }

    /// Each root with what lies in it, and the value that its points share.
    fileprivate func groups(of points: PointTable, by name: String?) -> [ClusterTree.Group] {
        let roots = (0..<parents.count).filter { parents[$0] == ClusterTree.noParent }
        return zip(roots, roots.dropFirst() + [parents.count]).map { root, next in
            let first = Int(nodes.firsts[root])
            return ClusterTree.Group(
                value: name.flatMap { points.attributes.value(of: $0, row: first) },
                leaves: first..<first + Int(nodes.leaves[root]), clusters: root..<next)
        }
    }

    private mutating func append(
        _ interval: ClusterTree.Interval, parent: Int?, parentZoom: Int
    ) {
        nodes.firsts.append(interval.leaves.lowerBound)
        nodes.leaves.append(interval.leaves.count)
        nodes.zooms.append(Int8(interval.zoom))
        nodes.parentZooms.append(Int8(parentZoom))
        parents.append(parent.map { UInt32($0) } ?? ClusterTree.noParent)
        nodes.xs.append(0)
        nodes.ys.append(0)
    }
}
