import ParallelColumns

/// Which node gathers which in one pass over a level.
struct Assignment: Sendable {
    /// For each node, the node that gathers it; itself if no other does.
    let owner: SharedColumn<UInt32>
    /// The neighbourhood that was searched, if it can be used again.
    var neighbourhood: Neighbourhood?
    /// The positions at which the new clusters are drawn, if they are known already.
    var means: Means?

    /// A position for each node that gathers others.
    struct Means: Sendable {
        let x: SharedColumn<Double>
        let y: SharedColumn<Double>
    }
}

/// The nodes that each node gathered, as linked lists.
struct MemberLists: Sendable {
    private let owner: UncheckedColumn<UInt32>
    /// For a node that gathers others, the first of them; for a node that was gathered, the next one.
    private let next: UncheckedColumn<UInt32>
    /// The memory of both. The entries are nodes of the same level, so no index is checked.
    private let columns: (SharedColumn<UInt32>, SharedColumn<UInt32>)

    private static let none = UInt32.max

    init(of assignment: Assignment, workers: Workers) {
        let count = assignment.owner.count
        columns = (assignment.owner, SharedColumn(count: count, in: workers.scratch))
        unsafe owner = columns.0.unchecked
        unsafe next = columns.1.unchecked
        let ranges = workers.cut(count)
        let crossings = workers.map(ranges) { [self] range in link(range) }
        for index in crossings.joined() { link(index, to: Int(owner[index])) }
    }

    /// Links the nodes that a node of the same range gathered; returns those gathered by a node of another range.
    private func link(_ range: Range<Int>) -> [Int] {
        for index in range { next[index] = Self.none }
        var crossings: [Int] = []
        for index in range {
            let seed = Int(owner[index])
            guard seed != index else { continue }
            if range.contains(seed) { link(index, to: seed) } else { crossings.append(index) }
        }
        return crossings
    }

    @inline(__always)
    private func link(_ index: Int, to seed: Int) {
        // A node that has been gathered itself forms no cluster.
        guard owner[seed] == seed else { return }
        next[index] = next[seed]
        next[seed] = UInt32(truncatingIfNeeded: index)
    }

    /// Whether a node gathered others.
    @inline(__always)
    func isSeed(_ index: Int) -> Bool { next[index] != Self.none && owner[index] == index }

    /// Calls `body` with each node that a node gathered, in no order.
    @inline(__always)
    func forEach(of seed: Int, _ body: (Int) -> Void) {
        var index = next[seed]
        while index != Self.none {
            body(Int(index))
            index = next[index]
        }
    }
}

/// What a group of nodes must hold to become a cluster.
struct MergeRule: Sendable {
    let minPoints: Int
    let minSites: Int

    /// Whether any two nodes may become a cluster, so that nothing is ever refused.
    var acceptsAnyPair: Bool { minPoints <= 2 && minSites <= 2 }

    func accepts(points: Int, sites: Int) -> Bool { points >= minPoints && sites >= minSites }
}
