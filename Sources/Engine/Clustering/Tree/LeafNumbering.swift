import ParallelColumns
import Points

/// Numbers leaves and clusters by a walk of the hierarchy, from the roots down.
///
/// The number of leaves and clusters in every cluster is known, so its children get their numbers from it alone,
/// and the clusters of one zoom can be numbered side by side.
struct LeafNumbering {
    private let hierarchy: Hierarchy
    private let input: ClusterInput
    private let workers: Workers
    /// For each cluster how many there are below it, itself included.
    private let sizes: SharedColumn<UInt32>
    /// For each cluster its number in the tree, and its first leaf's.
    private let numbers: SharedColumn<UInt32>
    private let firsts: SharedColumn<UInt32>

    static func columns(
        of hierarchy: Hierarchy, _ input: ClusterInput, workers: Workers
    ) -> TreeColumns {
        let numbering = LeafNumbering(hierarchy, input, workers)
        // Each leaf and each cluster is numbered once, so every entry is written.
        var columns = unsafe TreeColumns(
            uninitializedLeaves: input.count,
            clusters: hierarchy.count - hierarchy.dissolvedCount,
            weighted: input.options.weighted, represented: input.options.needsRepresentatives)
        let target = Target(&columns)
        numbering.fill(target)
        return columns
    }

    private init(_ hierarchy: Hierarchy, _ input: ClusterInput, _ workers: Workers) {
        self.hierarchy = hierarchy
        self.input = input
        self.workers = workers
        let sizes = SharedColumn<UInt32>(count: hierarchy.count, in: workers.scratch)
        self.sizes = sizes
        numbers = SharedColumn(count: hierarchy.count, in: workers.scratch)
        firsts = SharedColumn(count: hierarchy.count, in: workers.scratch)
        forEachZoom(deepestFirst: true) { cluster in
            var size: UInt32 = 1
            for child in hierarchy.childRange(of: cluster) {
                let node = hierarchy.children[child]
                if node.isCluster { size += sizes[node.number] }
            }
            sizes[cluster] = size
        }
    }

    private func forEachZoom(deepestFirst: Bool, _ body: @Sendable (Int) -> Void) {
        let ends = hierarchy.zoomEnds
        let zooms = zip([0] + ends, ends).map { $0..<$1 }
        for zoom in deepestFirst ? zooms : zooms.reversed() {
            workers.forEachRange(of: zoom.count, eachAtLeast: 1_024) { range in
                for index in range { body(zoom.lowerBound + index) }
            }
        }
    }

    private func fill(_ target: Target) {
        let top = Int8(input.options.minZoom - 1)
        var next = Next(leaf: 0, cluster: 0)
        for root in 0..<hierarchy.roots.count {
            next = record(hierarchy.roots[root], at: next, ClusterTree.noParent, top, target)
        }
        forEachZoom(deepestFirst: false) { cluster in
            guard !hierarchy.isDissolved(cluster) else { return }
            let number = numbers[cluster]
            let zoom = Int8(hierarchy.zoom[cluster])
            var next = Next(leaf: firsts[cluster], cluster: number + 1)
            for child in hierarchy.childRange(of: cluster) {
                next = record(hierarchy.children[child], at: next, number, zoom, target)
            }
        }
        copyClusters(target)
        if target.representatives.count > 0 { findRepresentatives(target) }
    }

    /// Copies the columns of the hierarchy into the order of the tree.
    private func copyClusters(_ target: Target) {
        workers.forEachRange(of: hierarchy.count) { range in
            // Column by column: the numbers lie far apart, and a short loop has many writes under way at once.
            copy(hierarchy.x, to: target.xs, range)
            copy(hierarchy.y, to: target.ys, range)
            copy(hierarchy.points, to: target.leaves, range)
            if target.weights.count > 0 {
                copy(hierarchy.weight, to: target.weights, range)
            }
            for cluster in range where !hierarchy.isDissolved(cluster) {
                target.firsts[numbers[cluster]] = Int(firsts[cluster])
            }
            for cluster in range where !hierarchy.isDissolved(cluster) {
                target.zooms[numbers[cluster]] = Int8(hierarchy.zoom[cluster])
            }
        }
    }

    @inline(__always)
    private func copy<Value>(
        _ source: Column<Value>, to target: SharedColumn<Value>, _ clusters: Range<Int>
    ) {
        for cluster in clusters where !hierarchy.isDissolved(cluster) {
            target[numbers[cluster]] = source[cluster]
        }
    }

    /// Finds the row of each representative; the first leaf of a cluster is the point that it grew from.
    private func findRepresentatives(_ target: Target) {
        let grewFromFirst = hierarchy.representative.isEmpty
        for cluster in 0..<hierarchy.count where !hierarchy.isDissolved(cluster) {
            target.representatives[numbers[cluster]] =
                grewFromFirst
                ? target.leafRows[firsts[cluster]]
                : UInt32(input.row(hierarchy.representative[cluster]))
        }
    }

    private struct Next {
        var leaf: UInt32
        var cluster: UInt32
    }

    /// Numbers a node; returns the numbers that come next.
    private func record(
        _ node: NodeReference, at next: Next, _ parent: UInt32, _ parentZoom: Int8,
        _ target: Target
    ) -> Next {
        var next = next
        guard node.isCluster else {
            let site = hierarchy.sites.range(of: node.number)
            // The three columns of leaves are of one length.
            precondition(Int(next.leaf) + site.count <= target.leafRows.count)
            let (rows, parents) = unsafe (target.leafRows.unchecked, target.leafParents.unchecked)
            let parentZooms = unsafe target.leafParentZooms.unchecked
            for index in site {
                rows[next.leaf] = UInt32(input.row(hierarchy.sites.points[index]))
                parents[next.leaf] = parent
                parentZooms[next.leaf] = parentZoom
                next.leaf += 1
            }
            return next
        }
        let cluster = node.number
        let number = next.cluster
        numbers[cluster] = number
        firsts[cluster] = next.leaf
        target.parentZooms[number] = parentZoom
        target.parents[number] = parent
        next.leaf += UInt32(hierarchy.points[cluster])
        next.cluster += sizes[cluster]
        return next
    }
}

extension LeafNumbering {
    /// The columns of a tree while workers fill them.
    private struct Target: Sendable {
        let leafRows: SharedColumn<UInt32>
        let leafParents: SharedColumn<UInt32>
        let leafParentZooms: SharedColumn<Int8>
        let firsts: SharedColumn<Int>
        let leaves: SharedColumn<Int>
        let zooms: SharedColumn<Int8>
        let parentZooms: SharedColumn<Int8>
        let parents: SharedColumn<UInt32>
        let xs: SharedColumn<Double>
        let ys: SharedColumn<Double>
        let weights: SharedColumn<Double>
        let representatives: SharedColumn<UInt32>

        init(_ columns: inout TreeColumns) {
            leafRows = SharedColumn(filling: &columns.leafRows)
            leafParents = SharedColumn(filling: &columns.leafParents)
            leafParentZooms = SharedColumn(filling: &columns.nodes.leafParentZooms)
            firsts = SharedColumn(filling: &columns.nodes.firsts)
            leaves = SharedColumn(filling: &columns.nodes.leaves)
            zooms = SharedColumn(filling: &columns.nodes.zooms)
            parentZooms = SharedColumn(filling: &columns.nodes.parentZooms)
            parents = SharedColumn(filling: &columns.parents)
            xs = SharedColumn(filling: &columns.nodes.xs)
            ys = SharedColumn(filling: &columns.nodes.ys)
            weights = SharedColumn(filling: &columns.nodes.weights)
            representatives = SharedColumn(filling: &columns.representatives)
        }
    }
}
