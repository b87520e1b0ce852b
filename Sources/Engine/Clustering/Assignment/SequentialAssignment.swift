import ParallelColumns

/// Finds which node gathers which by visiting nodes in rank order; refused nodes stay available.
struct SequentialAssignment {
    private let level: Level
    private let rule: MergeRule
    private let neighbourhood: Neighbourhood
    private let owner: SharedColumn<UInt32>
    private let workers: Workers
    /// How many neighbours refused nodes may still look at one by one.
    private var looksLeft: Int
    /// Counts what is free in boxes, once one by one has taken too long.
    private var free: FreeNodes?

    private static let unassigned = UInt32.max
    /// For each node of a level, how many neighbours are looked at one by one before boxes are made.
    private static let looksBeforeBoxes = 128

    static func find(in level: Level, rule: MergeRule, wraps: Bool, workers: Workers) -> Assignment
    {
        var search = SequentialAssignment(in: level, rule: rule, wraps: wraps, workers: workers)
        search.run()
        return Assignment(owner: search.owner, neighbourhood: search.neighbourhood)
    }

    private init(in level: Level, rule: MergeRule, wraps: Bool, workers: Workers) {
        (self.level, self.rule, self.workers) = (level, rule, workers)
        neighbourhood = Neighbourhood(level, wraps: wraps, scratch: workers.scratch)
        owner = SharedColumn(
            repeating: Self.unassigned, count: level.count, in: workers.scratch)
        looksLeft = Self.looksBeforeBoxes * level.count
    }

    private mutating func run() {
        workers.forEachRange(of: level.count) { [neighbourhood] in neighbourhood.prepare($0) }
        for index in visitingOrder() where owner[index] == Self.unassigned { visit(index) }
        for index in 0..<level.count where owner[index] == Self.unassigned {
            owner[index] = UInt32(truncatingIfNeeded: index)
        }
    }

    /// The nodes that have neighbours, by rank.
    private func visitingOrder() -> [Int] {
        let crowded = (0..<level.count).filter { !neighbourhood.isAlone($0) }
        let sorted = RadixSort.order(of: crowded.count, bits: 32, workers: workers) {
            UInt64(level.rank[crowded[$0]])
        }
        return crowded.indices.map { crowded[Int(sorted[$0].item)] }
    }

    private mutating func visit(_ index: Int) {
        if free?.accepts(index) == false { return }
        var points = Int(level.points[index])
        var sites = level.siteCount(of: index)
        var gathered: [Int] = []
        var looks = 0
        neighbourhood.visit(around: index) { other in
            looks += 1
            guard owner[other] == Self.unassigned else { return true }
            gathered.append(other)
            points += Int(level.points[other])
            sites += level.siteCount(of: other)
            return true
        }
        guard !gathered.isEmpty, rule.accepts(points: points, sites: sites) else {
            return countLooks(looks)
        }
        gathered.append(index)
        for node in gathered {
            owner[node] = UInt32(truncatingIfNeeded: index)
            free?.remove(node)
        }
    }

    /// Counts what a refused node has looked at in vain. The nodes near an accepted one are gathered, so none is looked at often.
    private mutating func countLooks(_ looks: Int) {
        looksLeft -= looks
        guard looksLeft < 0, free == nil else { return }
        free = FreeNodes(neighbourhood, rule, workers: workers) { owner[$0] == Self.unassigned }
    }
}
