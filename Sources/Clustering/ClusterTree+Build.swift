import ParallelColumns
import Points

extension ClusterTree {
    /// Clusters points at all zooms.
    ///
    /// The result is a function of the points and the options: not of the number of threads,
    /// nor, with order `stable`, of the order of the rows.
    /// - Parameter goesOn: asked before each zoom, from the deepest up; false gives up.
    public init(
        of points: PointTable, rows: Column<UInt32>? = nil, options: ClusterOptions,
        firstLeaf: Int = 0, threads: Int = 2, goesOn: (_ zoom: Int) -> Bool = { _ in true }
    ) throws(ClusteringError) {
        try options.validate()
        let count = rows?.count ?? points.count
        guard firstLeaf >= 0, firstLeaf <= Self.greatestLeaf - count else {
            throw .leafNumberTooLarge(firstLeaf)
        }
        var columns = TreeColumns()
        var groups: [Group] = []
        for part in try GroupSplit(points, rows: rows, options: options).parts {
            let before = (leaves: columns.leafRows.count, clusters: columns.firsts.count)
            let arena = Arena()
            let input = try ClusterInput(
                points, subset: part.rows, options: options, arena: arena)
            guard let more = Self.columns(of: input, threads: threads, goesOn: goesOn) else {
                throw .cancelled
            }
            columns.append(more)
            withExtendedLifetime(arena) {}
            groups.append(
                Group(
                    value: part.value, leaves: before.leaves..<columns.leafRows.count,
                    clusters: before.clusters..<columns.firsts.count))
        }
        let reduction = Workers.with(threads, expecting: 16 * count) { workers in
            AttributeReduction.run(columns, points, options, workers)
        }
        self.init(
            firstLeaf: firstLeaf, minZoom: options.minZoom, columns: columns, groups: groups,
            attributes: reduction.attributes, skippedValues: reduction.skipped)
    }

    private static func columns(
        of input: ClusterInput, threads: Int, goesOn: (Int) -> Bool
    ) -> TreeColumns? {
        // What a large region is not used for costs nothing but addresses.
        let hierarchy = Workers.with(threads, expecting: 128 * input.count) { workers in
            HierarchyBuilder.build(input, workers: workers, goesOn: goesOn)
        }
        guard let hierarchy else { return nil }
        return Workers.with(threads, expecting: 16 * input.count) { workers in
            LeafNumbering.columns(of: hierarchy, input, workers: workers)
        }
    }
}

extension ClusterOptions {
    var needsRepresentatives: Bool { !inherit.isEmpty }
}
