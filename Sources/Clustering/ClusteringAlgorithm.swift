import ParallelColumns

/// How the nodes of one zoom are put together.
///
/// A new algorithm is a type that conforms to this, a case of `ClusterOptions.Algorithm`, and a
/// line in `ClusterOptions.Algorithm.makeAlgorithm`.
protocol ClusteringAlgorithm: Sendable {
    /// The rows by which a level must be sorted.
    func rows(radius: Double) -> Rows

    /// Whether passes repeat until none merges.
    var repeats: Bool { get }

    /// Whether refused nodes follow the node that gathered them in the next level's order.
    var promotesRefused: Bool { get }

    /// Whether a cluster is looked for where it is drawn; otherwise where the node it grew from was.
    var movesNodes: Bool { get }

    /// Who gathers whom. A group that the rule refuses is passed on apart.
    func claims(in level: Level, rule: MergeRule, wraps: Bool, workers: Workers) -> Claims
}

extension ClusterOptions.Algorithm {
    func makeAlgorithm() -> any ClusteringAlgorithm {
        switch self {
        case .spaced: SpacedAlgorithm()
        case .greedy: GreedyAlgorithm()
        case .grid: GridAlgorithm()
        }
    }
}

/// One pass a zoom, as Supercluster does it.
struct GreedyAlgorithm: ClusteringAlgorithm {
    let repeats = false
    let promotesRefused = true
    let movesNodes = true

    func rows(radius: Double) -> Rows { Rows(radius: radius) }

    func claims(in level: Level, rule: MergeRule, wraps: Bool, workers: Workers) -> Claims {
        RankOrderClaims.find(in: level, wraps: wraps, workers: workers)
    }
}

/// Passes until no two nodes that could merge are within the radius.
struct SpacedAlgorithm: ClusteringAlgorithm {
    let repeats = true
    let promotesRefused = false
    let movesNodes = true

    func rows(radius: Double) -> Rows { Rows(radius: radius) }

    /// Without refusals a pass is that of `greedy`; with them, what a node may gather depends on
    /// what was refused before, and the nodes are visited one after another.
    func claims(in level: Level, rule: MergeRule, wraps: Bool, workers: Workers) -> Claims {
        rule.acceptsAnyPair
            ? RankOrderClaims.find(in: level, wraps: wraps, workers: workers)
            : VisitedClaims.find(in: level, rule: rule, wraps: wraps, workers: workers)
    }
}
