import ParallelColumns

/// Who gathers whom in one pass over a level.
struct Claims: Sendable {
    /// For each node the node that gathers it; a node that nobody gathers gathers itself.
    let owner: SharedColumn<UInt32>
    /// Where the nodes that a node gathered are to be looked for.
    let candidates: Candidates

    enum Candidates: Sendable {
        case near(Neighbourhood)
        case sameCell(of: GridCells)
    }
}

/// Finds the nodes that a node may have gathered.
protocol CandidateSearch: Sendable {
    /// Whether a node has certainly gathered none.
    func isAlone(_ index: Int) -> Bool

    /// Calls `body` with each other node that it may have gathered until it answers false.
    func visit(around index: Int, _ body: (Int) -> Bool)
}

extension Neighbourhood: CandidateSearch {}

extension GridCells: CandidateSearch {
    func isAlone(_ index: Int) -> Bool { false }

    func visit(around index: Int, _ body: (Int) -> Bool) {
        for other in run(around: index) where other != index { if !body(other) { return } }
    }
}

/// What nodes must have together to become a cluster.
struct MergeRule: Sendable {
    let minPoints: Int
    let minPlaces: Int

    /// Whether any two nodes may become a cluster, so that nothing is ever refused.
    var acceptsAnyPair: Bool { minPoints <= 2 && minPlaces <= 2 }

    func accepts(points: Int, places: Int) -> Bool { points >= minPoints && places >= minPlaces }
}
