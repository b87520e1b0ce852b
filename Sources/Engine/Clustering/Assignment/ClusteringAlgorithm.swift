import ParallelColumns

/// How the nodes of one zoom are merged.
///
/// A new algorithm is a type that conforms to this, a case of `ClusterOptions.Algorithm`, a
/// line in `ClusterOptions.makeAlgorithm`, and one in `Doubt`. A level may have a radius of 0.
protocol ClusteringAlgorithm: Sendable {
    /// The bands by which a level must be sorted.
    func bands(radius: Double) -> Bands

    /// Whether passes repeat until none merges.
    var repeats: Bool { get }

    /// Whether refused nodes follow the node that gathered them in the next level's order.
    var reranksRefused: Bool { get }

    /// Whether searches look for a cluster where it is drawn; otherwise they look where its seed was.
    var movesNodes: Bool { get }

    /// Finds which node gathers which. The nodes of a group that the rule refuses stay separate.
    func assignment(of level: Level, rule: MergeRule, wraps: Bool, workers: Workers) -> Assignment
}

extension ClusterOptions {
    func makeAlgorithm() -> any ClusteringAlgorithm {
        switch algorithm {
        case .spaced: SpacedAlgorithm()
        case .greedy: GreedyAlgorithm(watchesTies: isSupercluster)
        case .grid: GridAlgorithm()
        }
    }
}

/// One pass a zoom, as Supercluster does it.
struct GreedyAlgorithm: ClusteringAlgorithm {
    let repeats = false
    let reranksRefused = true
    let movesNodes = true
    let watchesTies: Bool

    func bands(radius: Double) -> Bands { Bands(radius: radius) }

    func assignment(of level: Level, rule: MergeRule, wraps: Bool, workers: Workers) -> Assignment {
        RankOrderAssignment.find(
            in: level, wraps: wraps, watchesTies: watchesTies, workers: workers)
    }
}

/// Passes until no two nodes that could merge are within the radius.
struct SpacedAlgorithm: ClusteringAlgorithm {
    let repeats = true
    let reranksRefused = false
    let movesNodes = true

    func bands(radius: Double) -> Bands { Bands(radius: radius) }

    /// Without refusals a pass is that of `greedy`; with them, what a node may gather depends on
    /// what was refused before, and the nodes are visited one after another.
    func assignment(of level: Level, rule: MergeRule, wraps: Bool, workers: Workers) -> Assignment {
        rule.acceptsAnyPair
            ? RankOrderAssignment.find(in: level, wraps: wraps, workers: workers)
            : SequentialAssignment.find(in: level, rule: rule, wraps: wraps, workers: workers)
    }
}
