import ParallelColumns
import Points

/// The nodes in the order in which Supercluster keeps and visits them where clusters are refused.
///
/// Supercluster passes on a refused node followed by the nodes that it had gathered, in the order in which its
/// search found them, and visits them so at the next zoom. It has points at one site as separate items, so a node
/// may occur here several times: its first place counts, but each is an item of the tree that is searched. A mean
/// is summed up item by item, as they are found, so it has the same bits as Supercluster's.
struct VisitingSequence: Sendable {
    /// The ranks of the nodes.
    private var ranks: [UInt32]
    /// For each rank in the level before, the new rank, once the assignment is known.
    private var newRanks: [UInt32] = []

    private static let none = UInt32.max

    /// Starts with the points in the order of the input; those of a site that is one cluster count once.
    init(of level: Level, _ sites: Sites) {
        var ranks = Array(repeating: Self.none, count: sites.points.count)
        for index in 0..<level.count {
            let node = level.node[index]
            guard !node.isCluster else {
                ranks[Int(level.rank[index])] = level.rank[index]
                continue
            }
            for point in sites.range(of: node.number) {
                ranks[Int(sites.points[point])] = level.rank[index]
            }
        }
        self.ranks = ranks.filter { $0 != Self.none }
    }

    /// Finds which node gathers which, and moves on to the order of the next level.
    /// - Complexity: O(n log n).
    mutating func assignment(of level: Level, rule: MergeRule, workers: Workers) -> Assignment {
        var search = Search(in: level, rule: rule, ranks: ranks, scratch: workers.scratch)
        search.run()
        newRanks = Array(repeating: Self.none, count: Int(ranks.max() ?? 0) + 1)
        var next: UInt32 = 0
        ranks = search.output.map { node in
            let old = Int(level.rank[node])
            if newRanks[old] == Self.none {
                newRanks[old] = next
                next += 1
            }
            return newRanks[old]
        }
        return Assignment(owner: search.owner, means: search.means)
    }

    /// Gives the surviving nodes and the new clusters their ranks in the next level.
    func rerank(_ formation: ClusterFormation, arrivals: Level) {
        let level = formation.level
        for index in 0..<level.count where formation.survives(index) {
            level.rank[index] = newRanks[Int(level.rank[index])]
        }
        for index in 0..<arrivals.count {
            arrivals.rank[index] = newRanks[Int(arrivals.rank[index])]
        }
    }
}

extension VisitingSequence {
    /// One walk over the nodes of a level in their order.
    private struct Search {
        private let level: Level
        private let rule: MergeRule
        /// The node of each item.
        private let nodes: [Int]
        private let tree: KDTree
        private var isVisited: [Bool]
        let owner: SharedColumn<UInt32>
        /// The nodes of the next level in their order; a seed stands for its cluster.
        private(set) var output: [Int] = []
        let means: Assignment.Means

        init(in level: Level, rule: MergeRule, ranks: [UInt32], scratch: Arena) {
            self.level = level
            self.rule = rule
            var nodeOfRank = Array(repeating: 0, count: Int(ranks.max() ?? 0) + 1)
            for index in 0..<level.count { nodeOfRank[Int(level.rank[index])] = index }
            nodes = ranks.map { nodeOfRank[Int($0)] }
            tree = KDTree(nodes.map { SIMD2(level.x[$0], level.y[$0]) })
            isVisited = Array(repeating: false, count: nodes.count)
            owner = SharedColumn(repeating: VisitingSequence.none, count: level.count, in: scratch)
            means = Assignment.Means(
                x: SharedColumn(count: level.count, in: scratch),
                y: SharedColumn(count: level.count, in: scratch))
        }

        mutating func run() {
            for item in nodes.indices where !isVisited[item] { visit(item) }
        }

        private mutating func visit(_ item: Int) {
            let seed = nodes[item]
            isVisited[item] = true
            var gathered: [Int] = []
            tree.visit(
                around: SIMD2(level.x[seed], level.y[seed]), radius: level.bands.radius
            ) { other in
                if !isVisited[other] { gathered.append(other) }
            }
            for other in gathered { isVisited[other] = true }
            let isAccepted = assign(gathered.map { nodes[$0] }, for: seed)
            if isAccepted { sumUp([seed] + gathered.map { nodes[$0] }) }
            output.append(seed)
            if !isAccepted { output += gathered.map { nodes[$0] } }
        }

        /// Finds the mean of the items that become a cluster, whose seed comes first.
        private func sumUp(_ items: [Int]) {
            var (x, y, total) = (0.0, 0.0, 0.0)
            for node in items {
                // The points of a site that is no cluster are separate items.
                let points = level.node[node].isCluster ? Double(level.points[node]) : 1
                x += level.x[node] * points
                y += level.y[node] * points
                total += points
            }
            means.x[items[0]] = x / total
            means.y[items[0]] = y / total
        }

        /// Assigns nodes to the one that gathered them; returns whether they become a cluster.
        private func assign(_ gathered: [Int], for seed: Int) -> Bool {
            var points = 0
            var sites = 0
            for node in [seed] + gathered where owner[node] == VisitingSequence.none {
                owner[node] = UInt32(truncatingIfNeeded: seed)
                points += Int(level.points[node])
                sites += level.siteCount(of: node)
            }
            return !gathered.isEmpty && rule.accepts(points: points, sites: sites)
        }
    }
}
