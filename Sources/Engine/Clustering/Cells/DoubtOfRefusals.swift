import Basics
import ParallelColumns

/// Which nodes a pass leaves in doubt, where refused groups stay free for others.
///
/// Which nodes a visit may gather depends on all visits before it. A visit is in doubt if any node that it might
/// gather is. Then all nodes that it might gather are in doubt for all later visits.
struct DoubtOfRefusals: Sendable {
    private let level: Level
    private let owner: SharedColumn<UInt32>
    private let neighbourhood: Neighbourhood
    private let states: [DoubtOfPass.State]
    private var isDoubtful: [Bool]
    private var isWaiting: [Bool]
    /// Whether the visit of a node may have gone otherwise than in the pass.
    private var isVisitInDoubt: [Bool]
    private var isSeed: [Bool]
    /// The nodes to look at, by rank.
    private var queue = LeastFirst<Keyed<UInt32, Int>>()
    /// The nodes that this pass leaves in doubt; any of them may have moved.
    private(set) var doubtful: [Int] = []

    init(
        _ level: Level, _ assignment: Assignment, _ neighbourhood: Neighbourhood,
        _ states: [DoubtOfPass.State]
    ) {
        self.level = level
        owner = assignment.owner
        self.neighbourhood = neighbourhood
        self.states = states
        isDoubtful = Array(repeating: false, count: level.count)
        isWaiting = isDoubtful
        isVisitInDoubt = isDoubtful
        isSeed = isDoubtful
        for index in 0..<level.count where Int(owner[index]) != index {
            isSeed[Int(owner[index])] = true
        }
    }

    mutating func run() {
        for index in states.indices where states[index] == .near { castDoubt(on: index, from: -1) }
        while let next = queue.removeLeast() { visit(next.item) }
    }

    /// Whether a node was surely gathered, or had gathered others, before the visit of that rank.
    private func isTaken(_ index: Int, before rank: UInt32) -> Bool {
        let seed = Int(owner[index])
        return (seed != index || isSeed[index]) && level.rank[seed] < rank && !isVisitInDoubt[seed]
            && states[seed] != .unknown
    }

    private mutating func visit(_ index: Int) {
        let rank = level.rank[index]
        guard states[index] != .unknown, !isTaken(index, before: rank) else { return }
        var hasDoubt = isDoubtful[index]
        if !hasDoubt {
            neighbourhood.visit(around: index) { other in
                hasDoubt = isDoubtful[other] && !isTaken(other, before: rank)
                return !hasDoubt
            }
        }
        guard hasDoubt else { return }
        isVisitInDoubt[index] = true
        var free: [Int] = [index]
        neighbourhood.visit(around: index) { other in
            if states[other] != .unknown, !isTaken(other, before: rank) { free.append(other) }
            return true
        }
        for other in free { castDoubt(on: other, from: Int(rank)) }
    }

    private mutating func castDoubt(on index: Int, from rank: Int) {
        guard !isDoubtful[index] else { return }
        isDoubtful[index] = true
        doubtful.append(index)
        watch(index, after: rank)
        neighbourhood.visit(around: index) { other in
            watch(other, after: rank)
            return true
        }
    }

    /// Puts a node into the queue if its visit comes after a rank.
    private mutating func watch(_ index: Int, after rank: Int) {
        guard !isWaiting[index], Int(level.rank[index]) > rank else { return }
        isWaiting[index] = true
        queue.insert(Keyed(level.rank[index], index))
    }
}
