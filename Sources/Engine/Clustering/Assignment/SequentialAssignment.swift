import ParallelColumns

/// Finds which node gathers which by visiting nodes in rank order; refused nodes stay available.
enum SequentialAssignment {
    private static let unassigned = UInt32.max
    /// For each node of a level, how many neighbours are looked at in vain before boxes are made.
    private static let looksBeforeBoxes = 64

    static func find(in level: Level, rule: MergeRule, wraps: Bool, workers: Workers) -> Assignment
    {
        let neighbourhood = Neighbourhood(level, wraps: wraps, scratch: workers.scratch)
        let owner = SharedColumn<UInt32>(
            repeating: unassigned, count: level.count, in: workers.scratch)
        workers.forEachRange(of: level.count) { neighbourhood.prepare($0) }
        var looksLeft = looksBeforeBoxes * level.count
        var free: FreeNodes?
        for index in visitingOrder(of: level, neighbourhood, workers)
        where owner[index] == unassigned && free?.accepts(index) != false {
            let looks = visit(index, level, rule, neighbourhood, owner) { free?.remove($0) }
            // The nodes near an accepted one are gathered, so that none is looked at often.
            looksLeft -= looks
            if looksLeft < 0, free == nil {
                free = FreeNodes(neighbourhood, rule, workers: workers) { owner[$0] == unassigned }
            }
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

    /// Visits a node; returns how many others it has looked at in vain.
    /// - Parameter take: is called with each node that is no longer free.
    private static func visit(
        _ index: Int, _ level: Level, _ rule: MergeRule, _ neighbourhood: Neighbourhood,
        _ owner: SharedColumn<UInt32>, take: (Int) -> Void
    ) -> Int {
        var points = Int(level.points[index])
        var sites = level.siteCount(of: index)
        var gathered: [Int] = []
        var looks = 0
        neighbourhood.visit(around: index) { other in
            looks += 1
            guard owner[other] == unassigned else { return true }
            gathered.append(other)
            points += Int(level.points[other])
            sites += level.siteCount(of: other)
            return true
        }
        guard !gathered.isEmpty, rule.accepts(points: points, sites: sites) else { return looks }
        gathered.append(index)
        for node in gathered {
            owner[node] = UInt32(truncatingIfNeeded: index)
            take(node)
        }
        return 0
    }
}
