import ParallelColumns
import Points

// How points become clusters.
//
// The folders of this module follow one hierarchy on its way through it.
//
// **Options** say what to make, and reject what contradicts itself.
//
// **Input.** `ClusterInput` views the rows of a table as points with positions in the unit
// square; `PointGroups` makes one input for each value of `groupBy`. Each point gets a *rank*
// (`Ranking`): the node of lower rank is visited first. With order `stable` a rank follows
// from the point itself (weight, then a mix of its position), so no permutation of the input
// changes anything; with order `input` it is the record's number. Points at one exact position
// are a *site* (`Sites`): they share their fate at every zoom, so the engine works on sites, and
// a million points at one position are one node. Among themselves they are sorted only for the
// numbering (`CoincidentOrder`).
//
// **Level.** A level holds the nodes that are alive at one zoom, at first the sites: columns
// sorted by *band*, a strip of the map at least as high as the radius, then by x. So all
// neighbours of a node lie in three runs of memory (`Bands`, `Neighbourhood`).
//
// **Assignment.** From the deepest zoom up, a *pass* first finds which node gathers which. By definition
// nodes are visited in rank order, and one that is still free gathers all free nodes within
// the radius. `RankOrderAssignment` finds the same without that order: the visited nodes are the
// one maximal set without neighbours among them that prefers lower ranks, so a node's answer
// depends only on neighbours of lower rank. Workers take ranges of the level; a node whose answer
// depends on another worker's range is *deferred*, and so is any that depends on it, until the ranges
// are done. Where refused nodes must stay available, or Supercluster's own order counts, nodes
// are visited one after another (`SequentialAssignment`, `VisitingSequence`); a grid needs no
// search (`GridAlgorithm`).
//
// **Formation.** `ClusterFormation` decides which groups the rule accepts, and so how many
// clusters and children there will be; then each worker writes its clusters where they stay
// (`ClusterWriter`, `Positioning`). The node that gathered the others is the *seed*; the cluster
// inherits its rank. `spaced` repeats passes until none merges; a cluster that merges again at
// the zoom at which it had formed is dissolved into the new one, so a zoom adds one generation.
// After the first pass only what lies near new clusters is looked at again (`NearbyNodes`).
// Survivors and new clusters are merged into the next level without a sort where its bands are
// the same or pairs of these (`LevelMerge`).
//
// **Hierarchy.** Clusters stand in the order in which they formed, each with its children and the
// zoom of its formation: at most n - 1 of them, whatever the number of zooms, since a node that
// passes a zoom unchanged is not copied.
//
// **Tree.** What is left at the minimum zoom are the roots, laid along the Hilbert curve. One
// walk from them down numbers leaves and clusters depth first, a cluster's seed before what it
// gathered (`LeafNumbering`). So every cluster is an interval of leaf numbers, its children are
// the intervals that follow one another within it, and clusters in their order are sorted by
// first leaf, outer ones first. `ClusterTree` is that table.
//
// **Aggregates.** A value of a cluster is a state that each of its points starts and that is
// merged up the tree, children in leaf order: the same bits, however many threads
// (`SubtreeReduction`).
//
// **Cells.** Parts of the world may be clustered by themselves, each with a margin around it. The nodes that may
// differ in the whole world are found pass by pass (`Doubt`); the others are handed up and clustered further
// (`TopTree`). The tree is the same.
//
// Nothing here is global, reads a file, or assumes that the points are the whole world. Threads share only the
// columns of an arena (`ParallelColumns`), and how work is cut never shows in the result.

extension ClusterTree {
    /// Clusters points at all zooms.
    ///
    /// The result is a function of the points and the options: not of the number of threads,
    /// nor, with order `stable`, of the order of the rows.
    ///
    /// `entryZooms` has the zoom from which each row takes part; without it, all take part from the deepest.
    /// `goesOn` is called before each zoom, from the deepest up; if it returns false, clustering is cancelled.
    public init(
        of points: PointTable, options: ClusterOptions,
        entering entryZooms: EntryZooms? = nil, firstLeaf: Int = 0, threads: Int = 2,
        goesOn: (_ zoom: Int) -> Bool = { _ in true }
    ) throws(ClusteringError) {
        try options.validate()
        var columns = TreeColumns()
        var groups: [Group] = []
        for part in try PointGroups.parts(of: points, options) {
            let before = (leaves: columns.leafRows.count, clusters: columns.nodes.firsts.count)
            let arena = Arena()
            let input = try ClusterInput(
                points, subset: part.rows, options: options, arena: arena, entering: entryZooms)
            guard let more = Self.columns(of: input, threads: threads, goesOn: goesOn) else {
                throw .cancelled
            }
            columns.append(more)
            groups.append(
                Group(
                    value: part.value, leaves: before.leaves..<columns.leafRows.count,
                    clusters: before.clusters..<columns.nodes.firsts.count))
        }
        let reduction = Workers.with(threads, expecting: 16 * points.count) { workers in
            AttributeReduction.run(columns, groups, points, options, workers)
        }
        self.init(
            firstLeaf: firstLeaf, minZoom: options.minZoom, columns: columns, groups: groups,
            attributes: reduction.attributes, skippedValues: reduction.skipped)
    }

    private static func columns(
        of input: ClusterInput, threads: Int, goesOn: (Int) -> Bool
    ) -> TreeColumns? {
        // The unused part of a large region costs only addresses.
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
