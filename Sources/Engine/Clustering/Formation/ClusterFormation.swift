import ParallelColumns

/// Turns the assignment of a pass into clusters.
///
/// It first decides which groups merge, so the number of clusters and children is known. Then each worker can
/// write its clusters where they stay in memory.
struct ClusterFormation: Sendable {
    let level: Level
    let assignment: Assignment
    /// The results for a few ranges of nodes, one after another.
    private(set) var parts: [Part] = []
    /// The seeds of each part's clusters, from the start of the part's range on.
    private let seeds: SharedColumn<UInt32>
    /// 1 where a node has become part of a cluster.
    let gone: SharedColumn<UInt8>
    private let members: MemberLists

    struct Part: Sendable {
        /// The seeds of its clusters, in `seeds`.
        var seeds: Range<Int>
        var childCount = 0
        /// Clusters of an earlier pass at the same zoom that become part of these.
        var dissolvedCount = 0
    }

    var clusterCount: Int { parts.reduce(0) { $0 + $1.seeds.count } }

    init(
        _ level: Level, assignment: Assignment, rule: MergeRule, hierarchy: Hierarchy,
        workers: Workers
    ) {
        self.level = level
        self.assignment = assignment
        members = MemberLists(of: assignment, workers: workers)
        gone = SharedColumn(repeating: 0, count: level.count, in: workers.scratch)
        seeds = SharedColumn(count: level.count, in: workers.scratch)
        let ranges = workers.cut(level.count, eachAtLeast: 2_048)
        parts = workers.map(ranges) { [self] range in decide(range, rule, hierarchy) }
    }

    /// Whether a node lives on as it is after the pass.
    @inline(__always)
    func survives(_ index: Int) -> Bool { gone[index] == 0 }

    /// Takes a node out of the level.
    @inline(__always)
    func remove(_ index: Int) { gone[index] = 1 }

    /// The node from which a cluster of a part grows.
    @inline(__always)
    func seed(at index: Int) -> Int { Int(seeds[index]) }

    /// Replaces the contents of `group` with the nodes that a node gathered, in rank order.
    func gather(_ seed: Int, into group: inout [Int]) {
        group.removeAll(keepingCapacity: true)
        members.forEach(of: seed) { group.append($0) }
        guard group.count > 12 else {
            sortFew(&group)
            return
        }
        // The rank is above and the index below, so these numbers sort as the nodes do by rank.
        var keys = group.map { UInt64(level.rank[$0]) << 32 | UInt64($0) }
        keys.sort()
        for (index, key) in keys.enumerated() { group[index] = Int(key & 0xFFFF_FFFF) }
    }

    /// Sorts a few nodes. Most groups are of two or three, for which the general sort does too much.
    private func sortFew(_ group: inout [Int]) {
        for end in group.indices.dropFirst() {
            let node = group[end]
            var index = end
            while index > 0, level.rank[group[index - 1]] > level.rank[node] {
                group[index] = group[index - 1]
                index -= 1
            }
            group[index] = node
        }
    }

    /// Decides which groups of a range's nodes merge, and takes the nodes of these groups out of the level.
    private func decide(_ range: Range<Int>, _ rule: MergeRule, _ hierarchy: Hierarchy) -> Part {
        let candidates = range.lowerBound..<findSeeds(range, hierarchy.sites)
        var part = Part(seeds: range.lowerBound..<range.lowerBound)
        var end = candidates.lowerBound
        for candidate in candidates {
            let seed = Int(seeds[candidate])
            guard isAccepted(seed, rule) else { continue }
            seeds[end] = seeds[candidate]
            end += 1
            take(seed, hierarchy, &part)
            members.forEach(of: seed) { take($0, hierarchy, &part) }
        }
        part.seeds = candidates.lowerBound..<end
        return part
    }

    /// Lists the nodes that gathered others; returns the end of the list.
    private func findSeeds(_ range: Range<Int>, _ sites: Sites) -> Int {
        let mayHoldCoincident = sites.hasCoincident
        // The list is never longer than the range, so no index is checked.
        let seeds = unsafe seeds.unchecked
        var end = range.lowerBound
        for index in range {
            // Always written, then kept or not, without a branch, as no processor could predict it.
            seeds[end] = UInt32(truncatingIfNeeded: index)
            let isSeed =
                members.isSeed(index)
                || mayHoldCoincident && holdsCoincident(index) && assignment.owner[index] == index
            end += isSeed ? 1 : 0
        }
        return end
    }

    /// Whether a node is a site with several points, which have gathered one another.
    @inline(__always)
    private func holdsCoincident(_ index: Int) -> Bool {
        level.points[index] > 1 && !level.node[index].isCluster
    }

    private func isAccepted(_ seed: Int, _ rule: MergeRule) -> Bool {
        if rule.acceptsAnyPair && rule.minSites < 2 { return true }
        var points = level.points[seed]
        var sites = level.siteCount(of: seed)
        members.forEach(of: seed) { other in
            points += level.points[other]
            sites += level.siteCount(of: other)
        }
        return rule.accepts(points: points, sites: sites)
    }

    @inline(__always)
    private func take(_ index: Int, _ hierarchy: Hierarchy, _ part: inout Part) {
        remove(index)
        let node = level.node[index]
        guard hierarchy.isOfOpenZoom(node) else {
            part.childCount += 1
            return
        }
        part.childCount += hierarchy.childRange(of: node.number).count
        part.dissolvedCount += 1
    }
}
