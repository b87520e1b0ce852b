import Clustering
import Geometry
import Points

/// Writes the files of a clustered square above the cells: its frontier, as for cells, and its tree (`UpperFile`,
/// `UpperMembersFile`).
struct UpperFiles {
    private let job: CellJob
    private let number: Int
    private let passes: Int
    private let square: TileID
    private let level: CellLevels.Level

    init(_ job: CellJob, _ number: Int, _ passes: Int) {
        (self.job, self.number, self.passes) = (job, number, passes)
        square = job.levels.square(number)
        level = job.levels.level(of: number)
    }

    func write(
        _ trees: [UpperTree], _ gathered: GatheredUnits, _ effort: CellFiles.Effort
    ) throws {
        var writer = try job.write(job.files.tree(of: job.name(of: number), passes))
        var tail = BlockSink()
        tail.write(varint: trees.count)
        var (units, allMembers): ([FrontierUnit], [[UpperMembers]]) = ([], [])
        for (index, tree) in trees.enumerated() {
            let layer = job.units[index].layer
            let nodes = TopNodes(
                gathered.units[index], tree.tree,
                for: job.recipe.layers[layer],
                isWeighted: job.layerOptions[layer].weighted)
            units.append(frontier(index, tree, nodes, gathered))
            tail.write(counts: tree.firstLeaves)
            tail.write(tree.leafCount, large(tree, nodes, gathered.units[index]))
            // The clusters formed here that are below the nodes handed up.
            let own = nodes.clusters.selecting(clusters: 0..<tree.count(of: nodes.clusters))
            var clusters = BlockSink()
            clusters.write(own)
            for block in [drawn(nodes), known(own), clusters] {
                tail.write(try writer.append(block.bytes))
            }
            allMembers.append(members(index, tree, gathered))
        }
        try writer.finish(tail: tail)
        let path = job.files.members(of: job.name(of: number), passes)
        try UpperMembersFile(allMembers, to: path).write(for: job)
        var ids = try UnusualIDs(naming: trees.map(\.standing), of: job)
        ids.formUnion(gathered.ids)
        try CellFiles(job).write(units, ids, effort, of: number, passes)
    }

    /// What is handed up for a hierarchy: clusters from below, and clusters formed here.
    private func frontier(
        _ index: Int, _ tree: UpperTree, _ nodes: TopNodes, _ gathered: GatheredUnits
    ) -> FrontierUnit {
        let below = gathered.units[index]
        var frontier = FrontierUnit(keys: job.keys)
        frontier.nodes = tree.nodes
        frontier.clusterCount = below.clusterCount + tree.count(of: nodes.clusters)
        frontier.heldCount = below.heldCount
        var skipped = SkippedSums()
        skipped.add(below.skipped)
        frontier.skipped = skipped.inOrder(of: job.layerOptions[job.units[index].layer])
        var givenAt: [Int: Int] = [:]
        for (index, cluster) in below.nodes.clusters.enumerated() {
            let place = tree.tree.placements[Int(cluster.row)]
            if Int(place.parentZoom) < level.cutZoom { givenAt[place.leaf] = index }
        }
        let firsts = nodes.clusters.nodes.firsts
        for cluster in tree.nodes.clusters {
            let leaf = tree.firstLeaves[Int(cluster.row)]
            if let given = givenAt[leaf] {
                frontier.records.append(record: given, of: below.records)
                frontier.traits.append(given, of: below.traits)
                continue
            }
            // Of the clusters that begin with a leaf, the outermost comes first.
            let formed = (0..<firsts.count).partitionPoint { firsts[$0] >= leaf }
            frontier.records.append(record: formed, of: nodes.clusters.records)
            frontier.traits.append(formed, of: nodes.clusters.traits)
        }
        return frontier
    }

    /// The nodes that the tiles of the square show.
    private func drawn(_ nodes: TopNodes) -> BlockSink {
        let ground = KnownGround(
            square, margin: BorderReach.reach(job.recipe.tiles, from: level.cutZoom), wraps: true)
        var drawn = nodes.drawn(above: job.levels.below(number).cutZoom, on: ground)
        let formed = nodes.clusters.nodes
        let near = (0..<formed.firsts.count).filter {
            ground.contains(formed.xs[$0], formed.ys[$0])
        }
        drawn.append(nodes.clusters.selecting(clusters: near))
        // Tiles do not need the numbers of first leaves.
        drawn.nodes.firsts = Column((0..<drawn.nodes.firsts.count).map { _ in 0 })
        var sink = BlockSink()
        sink.write(drawn)
        return sink
    }

    /// The first leaves of clusters, and sums by which a later job compares them.
    private func known(_ own: CellNodes) -> BlockSink {
        var sink = BlockSink()
        sink.write(counts: own.nodes.firsts)
        sink.write(job.keepsFiles ? own.clusterSums : Column())
        return sink
    }

    /// The nodes of squares below that are below the nodes handed up.
    private func members(
        _ index: Int, _ tree: UpperTree, _ gathered: GatheredUnits
    ) -> [UpperMembers] {
        var next = 0
        return gathered.sources.compactMap { source in
            var members = UpperMembers(square: source.square)
            for row in source.rows[index] {
                let place = tree.tree.placements[next]
                next += 1
                guard let (root, offset) = tree.root(ofLeaf: place.leaf) else { continue }
                members.rows.append(row)
                members.roots.append(UInt32(root))
                members.offsets.append(offset)
                members.parentZooms.append(place.parentZoom)
            }
            return members.rows.isEmpty ? nil : members
        }
    }

    /// The clusters with more leaves than any block may have, including those that cells handed up.
    private func large(
        _ tree: UpperTree, _ nodes: TopNodes, _ below: FrontierUnit
    ) -> [LargeNode] {
        var large = Array(nodes.clusters.nodes.large.prefix(tree.count(of: nodes.clusters)))
        if job.levels.index(of: number) == 1 {
            for cluster in below.nodes.clusters {
                let leaf = tree.tree.placements[Int(cluster.row)].leaf
                guard leaf < tree.leafCount else { continue }
                large.append(
                    LargeNode(first: leaf, leaves: cluster.points, zoom: cluster.zoom))
            }
        }
        return large.filter(\.isLarge)
    }
}

extension UpperTree {
    /// The number of clusters below the nodes that are handed up. These clusters come first.
    fileprivate func count(of clusters: CellNodes) -> Int {
        clusters.nodes.clusters(beginningWith: 0..<leafCount).count
    }
}
