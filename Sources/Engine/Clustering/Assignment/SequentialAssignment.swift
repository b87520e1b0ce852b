import ParallelColumns

/// Finds which node gathers which by visiting nodes in rank order; refused nodes stay available.
enum SequentialAssignment {
    private static let unassigned = UInt32.max

    static func find(in level: Level, rule: MergeRule, wraps: Bool, workers: Workers) -> Assignment
    {
        let neighbourhood = Neighbourhood(level, wraps: wraps, scratch: workers.scratch)
        let owner = SharedColumn<UInt32>(
            repeating: unassigned, count: level.count, in: workers.scratch)
        workers.forEachRange(of: level.count) { neighbourhood.prepare($0) }
        for index in visitingOrder(of: level, neighbourhood, workers)
        where owner[index] == unassigned {
            visit(index, level, rule, neighbourhood, owner)
        }
        for index in 0..<level.count where owner[index] == unassigned {
            owner[index] = UInt32(truncatingIfNeeded: index)
        }
        return Assignment(owner: owner, neighbourhood: neighbourhood)
    }

    /// The nodes that have neighbours, by rank.
    private static func visitingOrder(
        of level: Level, _ neighbourhood: Neighbourhood, _ workers: Workers
    ) -> [Int] {
        let crowded = (0..<level.count).filter { !neighbourhood.isAlone($0) }
        let sorted = RadixSort.order(of: crowded.count, bits: 32, workers: workers) {
            UInt64(level.rank[crowded[$0]])
        }
        return crowded.indices.map { crowded[Int(sorted[$0].item)] }
    }

    private static func visit(
        _ index: Int, _ level: Level, _ rule: MergeRule, _ neighbourhood: Neighbourhood,
        _ owner: SharedColumn<UInt32>
    ) {
        var points = Int(level.points[index])
        var sites = level.siteCount(of: index)
        var gathered: [Int] = []
        neighbourhood.visit(around: index) { other in
            guard owner[other] == unassigned else { return true }
            gathered.append(other)
            points += Int(level.points[other])
            sites += level.siteCount(of: other)
            return true
        }
        guard !gathered.isEmpty, rule.accepts(points: points, sites: sites) else { return }
        owner[index] = UInt32(truncatingIfNeeded: index)
        for other in gathered { owner[other] = UInt32(truncatingIfNeeded: index) }
    }
}
