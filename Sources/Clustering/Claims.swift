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

    /// Calls `body` with each node that `index` gathered, itself left out.
    @inline(__always)
    func visitGathered(by index: Int, _ body: (Int) -> Void) {
        switch candidates {
        case .near(let neighbourhood):
            neighbourhood.visit(around: index) { other in
                if owner[other] == index { body(other) }
                return true
            }
        case .sameCell(let cells):
            for other in cells.run(around: index) where other != index { body(other) }
        }
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
