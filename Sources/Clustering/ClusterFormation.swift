import ParallelColumns

/// Turns the claims of a pass into clusters.
///
/// First it is decided which groups merge, so that it is known how many clusters and children there
/// will be; then each worker writes its clusters to the places where they stay.
struct ClusterFormation: Sendable {
    let level: Level
    let claims: Claims
    /// What the nodes of a few ranges, one behind the other, grow into.
    private(set) var parts: [Part] = []
    /// For each part the nodes that clusters grow from, from the start of its range on.
    private let leads: SharedColumn<UInt32>
    /// 1 where a node has become part of a cluster.
    private let gone: SharedColumn<UInt8>
    private let gatherings: Gatherings

    struct Part: Sendable {
        /// Where its clusters' nodes lie in `leads`.
        var leads: Range<Int>
        var childCount = 0
        /// Clusters of an earlier pass at the same zoom that these take in.
        var dissolvedCount = 0
    }

    var clusterCount: Int { parts.reduce(0) { $0 + $1.leads.count } }

    init(
        _ level: Level, claims: Claims, rule: MergeRule, hierarchy: Hierarchy, workers: Workers
    ) {
        self.level = level
        self.claims = claims
        gatherings = Gatherings(of: claims, workers: workers)
        gone = SharedColumn(repeating: 0, count: level.count, in: workers.scratch)
        leads = SharedColumn(count: level.count, in: workers.scratch)
        let ranges = workers.cut(level.count, eachAtLeast: 2_048)
        let parts = Slots<Part>(count: ranges.count)
        workers.forEach(ranges.count) { [self] piece in
            parts.put(decide(ranges[piece], rule, hierarchy), at: piece)
        }
        self.parts = parts.all
    }

    /// Whether a node lives on as it is after the pass.
    @inline(__always)
    func survives(_ index: Int) -> Bool { gone[index] == 0 }

    /// Takes a node out of the level.
    @inline(__always)
    func remove(_ index: Int) { gone[index] = 1 }

    /// The node that a cluster of a part grows from.
    @inline(__always)
    func lead(_ place: Int) -> Int { Int(leads[place]) }

    /// Puts the nodes that a node gathered, in rank order, in place of what `group` holds.
    func gather(_ lead: Int, into group: inout [Int]) {
        group.removeAll(keepingCapacity: true)
        gatherings.forEach(of: lead) { group.append($0) }
        guard group.count > 12 else {
            sortFew(&group)
            return
        }
        // Rank above, index below, so that plain numbers sort as nodes by rank.
        var keys = group.map { UInt64(level.rank[$0]) << 32 | UInt64($0) }
        keys.sort()
        for (place, key) in keys.enumerated() { group[place] = Int(key & 0xFFFF_FFFF) }
    }

    /// Most groups are of two or three, for which the general sort does too much.
    private func sortFew(_ group: inout [Int]) {
        for end in group.indices.dropFirst() {
            let node = group[end]
            var place = end
            while place > 0, level.rank[group[place - 1]] > level.rank[node] {
                group[place] = group[place - 1]
                place -= 1
            }
            group[place] = node
        }
    }

    /// Decides which groups of a range's nodes merge, and takes the nodes of those out of the level.
    private func decide(_ range: Range<Int>, _ rule: MergeRule, _ hierarchy: Hierarchy) -> Part {
        let candidates = range.lowerBound..<findLeads(range, hierarchy.places)
        var part = Part(leads: range.lowerBound..<range.lowerBound)
        var end = candidates.lowerBound
        for place in candidates {
            let lead = Int(leads[place])
            guard isAccepted(lead, rule) else { continue }
            leads[end] = leads[place]
            end += 1
            take(lead, hierarchy, &part)
            gatherings.forEach(of: lead) { take($0, hierarchy, &part) }
        }
        part.leads = candidates.lowerBound..<end
        return part
    }

    /// Lists the nodes that gathered others; answers where their list ends.
    private func findLeads(_ range: Range<Int>, _ places: Places) -> Int {
        let mayHoldTwins = places.hasTwins
        var end = range.lowerBound
        for index in range {
            // Written each time and kept or not: no processor can foresee which.
            leads[end] = UInt32(truncatingIfNeeded: index)
            let isLead =
                gatherings.isLead(index)
                || mayHoldTwins && holdsTwins(index) && claims.owner[index] == index
            end += isLead ? 1 : 0
        }
        return end
    }

    /// Several points at one place are a node each of which has gathered the others.
    @inline(__always)
    private func holdsTwins(_ index: Int) -> Bool {
        level.points[index] > 1 && !level.node[index].isCluster
    }

    private func isAccepted(_ lead: Int, _ rule: MergeRule) -> Bool {
        if rule.acceptsAnyPair && rule.minPlaces < 2 { return true }
        var points = Int(level.points[lead])
        var places = level.placeCount(of: lead)
        gatherings.forEach(of: lead) { other in
            points += Int(level.points[other])
            places += level.placeCount(of: other)
        }
        return rule.accepts(points: points, places: places)
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
