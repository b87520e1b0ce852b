import Points

/// Numbers the clusters above all cells, and the frontier of the cells, by a walk from the roots down.
///
/// Each node takes as many numbers as it holds leaves and clusters, whichever cells they are in.
struct TopNumbering {
    private(set) var placements: [TopTree.Placement]
    private(set) var clusters: [TopTree.Cluster] = []
    /// The number of each of these in the hierarchy.
    private(set) var numbersInHierarchy: [Int] = []
    let hierarchy: Hierarchy
    private let givenRows: [UInt32]
    /// For each cluster, the number of clusters below it, including itself.
    private(set) var sizes: [Int] = []
    /// The row with the first leaf of each cluster.
    private(set) var seeds: [UInt32] = []
    /// The first leaf of each root. Each point of a site that is in no cluster is a root of its own.
    private(set) var firstLeaves = Column<Int>()
    /// How many leaves there are in all.
    private(set) var leafCount = 0

    init(
        _ hierarchy: Hierarchy, _ nodes: Frontier, minZoom: Int
    ) {
        self.hierarchy = hierarchy
        givenRows = hierarchy.givenPoints
        let nowhere = TopTree.Placement(leaf: 0, cluster: 0, parent: 0, parentZoom: 0)
        placements = Array(repeating: nowhere, count: nodes.points.count)
        measure(nodes)
        number(minZoom: minZoom)
    }

    /// Finds the size and the first leaf of each cluster; a cluster comes after its children.
    private mutating func measure(_ nodes: Frontier) {
        var sizesOfRows = [Int](repeating: 1, count: nodes.points.count)
        for cluster in nodes.clusters { sizesOfRows[Int(cluster.row)] = cluster.clusters }
        sizes = givenRows.map { sizesOfRows[Int($0)] }
        seeds = givenRows
        for cluster in givenRows.count..<hierarchy.count {
            let children = hierarchy.childRange(of: cluster).map { hierarchy.children[$0] }
            sizes.append(children.reduce(1) { $1.isCluster ? $0 + sizes[$1.number] : $0 })
            let seed = children[0]
            seeds.append(
                seed.isCluster
                    ? seeds[seed.number]
                    : hierarchy.sites.points[hierarchy.sites.range(of: seed.number).lowerBound])
        }
    }

    private mutating func number(minZoom: Int) {
        let nowhere = TopTree.Placement(leaf: 0, cluster: 0, parent: 0, parentZoom: 0)
        var places = Array(repeating: nowhere, count: hierarchy.count)
        var next = TopTree.Placement(
            leaf: 0, cluster: 0, parent: -1, parentZoom: Int8(minZoom - 1))
        for index in 0..<hierarchy.roots.count {
            let root = hierarchy.roots[index]
            let points = root.isCluster ? 1 : hierarchy.sites.range(of: root.number).count
            for point in 0..<points { firstLeaves.append(next.leaf + point) }
            place(root, &next, &places)
        }
        leafCount = next.leaf
        for cluster in (givenRows.count..<hierarchy.count).reversed()
        where !hierarchy.isDissolved(cluster) {
            let own = places[cluster]
            let zoom = Int8(hierarchy.zoom[cluster])
            clusters.append(
                TopTree.Cluster(
                    place: own, zoom: zoom, points: hierarchy.points[cluster],
                    x: hierarchy.x[cluster], y: hierarchy.y[cluster],
                    weight: hierarchy.weight.isEmpty ? 0 : hierarchy.weight[cluster],
                    seed: seeds[cluster],
                    representative: hierarchy.representative.isEmpty
                        ? seeds[cluster] : hierarchy.representative[cluster]))
            numbersInHierarchy.append(cluster)
            var next = TopTree.Placement(
                leaf: own.leaf, cluster: own.cluster + 1, parent: own.cluster, parentZoom: zoom)
            for child in hierarchy.childRange(of: cluster) {
                place(hierarchy.children[child], &next, &places)
            }
        }
    }

    private mutating func place(
        _ node: NodeReference, _ next: inout TopTree.Placement,
        _ places: inout [TopTree.Placement]
    ) {
        guard node.isCluster else {
            for index in hierarchy.sites.range(of: node.number) {
                placements[Int(hierarchy.sites.points[index])] = next
                next.leaf += 1
            }
            return
        }
        if node.number < givenRows.count {
            placements[Int(givenRows[node.number])] = next
        } else {
            places[node.number] = next
        }
        next.leaf += hierarchy.points[node.number]
        next.cluster += sizes[node.number]
    }
}
