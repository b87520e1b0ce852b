import ParallelColumns

/// Who gathers whom in one pass over a level.
struct Claims: Sendable {
    /// For each node the node that gathers it; a node that nobody gathers gathers itself.
    let owner: SharedColumn<UInt32>
    /// Where they searched, if what came of it can be used again.
    var neighbourhood: Neighbourhood?
}

/// The nodes that each node gathered, linked one behind the other.
struct Gatherings: Sendable {
    private let owner: SharedColumn<UInt32>
    /// For a node that gathers the first that it gathered, for one that was gathered the next.
    private let next: SharedColumn<UInt32>

    private static let none = UInt32.max

    init(of claims: Claims, workers: Workers) {
        owner = claims.owner
        let ranges = workers.cut(owner.count)
        let strangers = Slots<[Int]>(count: ranges.count)
        next = SharedColumn(count: owner.count, in: workers.scratch)
        workers.forEach(ranges.count) { [self] piece in
            strangers.put(link(ranges[piece]), at: piece)
        }
        for index in strangers.all.joined() { link(index, to: Int(owner[index])) }
    }

    /// Links the nodes of a range that a node of the range gathered; answers with those that
    /// another range's node did.
    private func link(_ range: Range<Int>) -> [Int] {
        for index in range { next[index] = Self.none }
        var strangers: [Int] = []
        for index in range {
            let lead = Int(owner[index])
            guard lead != index else { continue }
            if range.contains(lead) { link(index, to: lead) } else { strangers.append(index) }
        }
        return strangers
    }

    @inline(__always)
    private func link(_ index: Int, to lead: Int) {
        // One that has been gathered itself forms no cluster.
        guard owner[lead] == lead else { return }
        next[index] = next[lead]
        next[lead] = UInt32(truncatingIfNeeded: index)
    }

    /// Whether a node gathered any.
    @inline(__always)
    func isLead(_ index: Int) -> Bool { next[index] != Self.none && owner[index] == index }

    /// Calls `body` with each node that a node gathered, in no order.
    @inline(__always)
    func forEach(of lead: Int, _ body: (Int) -> Void) {
        var index = next[lead]
        while index != Self.none {
            body(Int(index))
            index = next[index]
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
