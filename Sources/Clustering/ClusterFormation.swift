import ParallelColumns

/// Turns the claims of a pass into clusters.
struct ClusterFormation: Sendable {
    let level: Level
    let claims: Claims
    let rule: MergeRule
    let movesNodes: Bool
    /// 1 where a node has become part of a cluster.
    private let gone: SharedColumn<UInt8>
    private let gatherings: Gatherings

    init(
        _ level: Level, claims: Claims, rule: MergeRule, movesNodes: Bool, workers: Workers
    ) {
        gatherings = Gatherings(of: claims, workers: workers)
        self.level = level
        self.claims = claims
        self.rule = rule
        self.movesNodes = movesNodes
        gone = SharedColumn(repeating: 0, count: level.count, in: workers.scratch)
    }

    /// Forms the clusters that grow from nodes of a range.
    func form(_ range: Range<Int>, _ placement: Placement) -> ClusterBatch {
        var batch = ClusterBatch()
        batch.reserve(range.reduce(0) { gatherings.isLead($1) ? $0 + 1 : $0 })
        // Rank above, index below, so that plain numbers sort as nodes by rank.
        var keys: [UInt64] = []
        var group: [Int] = []
        for index in range where gatherings.isLead(index) || holdsTwins(index) {
            guard claims.owner[index] == index else { continue }
            keys.removeAll(keepingCapacity: true)
            gatherings.forEach(of: index) { other in
                keys.append(UInt64(level.rank[other]) << 32 | UInt64(other))
            }
            if keys.count > 1 { keys.sort() }
            group.removeAll(keepingCapacity: true)
            for key in keys { group.append(Int(truncatingIfNeeded: key & 0xFFFF_FFFF)) }
            guard isCluster(index, group) else { continue }
            remove(index)
            for other in group { remove(other) }
            append(index, group, placement, to: &batch)
        }
        return batch
    }

    /// Whether a node lives on as it is after the pass.
    @inline(__always)
    func survives(_ index: Int) -> Bool { gone[index] == 0 }

    /// Takes a node out of the level.
    @inline(__always)
    func remove(_ index: Int) { gone[index] = 1 }

    /// Several points at one place are a node each of which has gathered the others.
    @inline(__always)
    private func holdsTwins(_ index: Int) -> Bool {
        level.points[index] > 1 && !level.node[index].isCluster
    }

    /// Adds a child; one that formed at this very zoom gives way to its own children.
    private func adopt(
        _ node: NodeReference, _ placement: Placement, _ batch: inout ClusterBatch
    ) {
        let hierarchy = placement.hierarchy
        guard node.isCluster, Int(hierarchy.zoom[node.number]) == placement.zoom else {
            batch.children.append(node)
            return
        }
        batch.dissolved.append(UInt32(node.number))
        for child in hierarchy.childRange(of: node.number) {
            batch.children.append(hierarchy.children[child])
        }
    }

    private func isCluster(_ index: Int, _ group: [Int]) -> Bool {
        guard !group.isEmpty || holdsTwins(index) else { return false }
        if rule.acceptsAnyPair && rule.minPlaces < 2 { return true }
        var points = Int(level.points[index])
        var places = level.placeCount(of: index)
        for other in group {
            points += Int(level.points[other])
            places += level.placeCount(of: other)
        }
        return rule.accepts(points: points, places: places)
    }

    private func append(
        _ index: Int, _ group: [Int], _ placement: Placement, to batch: inout ClusterBatch
    ) {
        var points = level.points[index]
        var places = UInt32(level.placeCount(of: index))
        var weight = level.weight(of: index)
        adopt(level.node[index], placement, &batch)
        for other in group {
            points += level.points[other]
            places += UInt32(level.placeCount(of: other))
            weight += level.weight(of: other)
            adopt(level.node[other], placement, &batch)
        }
        let site = placement.site(of: index, group, weight: weight, in: level)
        batch.x.append(site.place.x)
        batch.y.append(site.place.y)
        if !movesNodes {
            batch.searchX.append(level.x[index])
            batch.searchY.append(level.y[index])
        }
        batch.leads.append(UInt32(truncatingIfNeeded: index))
        batch.points.append(points)
        batch.rank.append(level.rank[index])
        if level.places != nil { batch.places.append(places) }
        if level.weight != nil { batch.weight.append(weight) }
        if let point = site.representative { batch.representative.append(point) }
        batch.childEnds.append(UInt32(truncatingIfNeeded: batch.children.count))
    }
}
