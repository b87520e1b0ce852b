import Basics
import ParallelColumns

/// Which nodes a pass leaves in doubt, where nodes are visited by rank and nothing is refused.
///
/// Each node is either a seed or gathered by its neighbour of lowest rank that is one. What is known of
/// a node hangs only on neighbours of lower rank, so doubt is followed by rank, from the nodes near
/// unknown ground on. One that has a neighbour which is surely a seed is surely gathered, by whom ever:
/// it casts no doubt on others, and that is where most doubt ends.
struct DoubtOfPass: Sendable {
    enum State: UInt8, Sendable {
        /// What the pass says of it is true.
        case sure
        /// In doubt before the pass: part of the unknown ground.
        case unknown
        /// Near unknown ground, and waiting.
        case near
        /// Near a node that may be a seed, and waiting.
        case waiting
        /// May be a seed or gathered or neither.
        case open
        /// Surely gathered; by whom is in doubt.
        case gathered
        /// Surely gathered by its neighbour, though there was doubt.
        case settled
        /// Part of a cluster of which it is in doubt who else is.
        case uncertain
    }

    private let level: Level
    private let owner: SharedColumn<UInt32>
    private let neighbourhood: Neighbourhood
    private var states: [State]
    /// By rank.
    private var queue = LeastFirst<Keyed<UInt32, Int>>()
    private var uncertainSeeds: [Int] = []
    /// The nodes that are in doubt since this pass.
    private(set) var doubtful: [Int] = []
    /// Those of them from which a cluster may have grown, or which may stand where they stood.
    private(set) var displaced: [Int] = []

    init(
        _ level: Level, _ assignment: Assignment, _ neighbourhood: Neighbourhood, _ states: [State]
    ) {
        self.level = level
        owner = assignment.owner
        self.neighbourhood = neighbourhood
        self.states = states
    }

    mutating func run() {
        for index in states.indices where states[index] == .near {
            queue.insert(Keyed(level.rank[index], index))
        }
        while let next = queue.removeLeast() { settle(next.item) }
        for seed in uncertainSeeds { shake(seed) }
    }

    private mutating func settle(_ index: Int) {
        let rank = level.rank[index]
        // The neighbour of lowest rank that is surely a seed, and that which may be one.
        var (seed, seedRank) = (index, UInt32.max)
        var openRank = states[index] == .near ? -1 : Int(UInt32.max)
        neighbourhood.visit(around: index) { other in
            let otherRank = level.rank[other]
            guard otherRank < rank else { return true }
            switch states[other] {
            case .sure where Int(owner[other]) == other && otherRank < seedRank:
                (seed, seedRank) = (other, otherRank)
            case .open: openRank = min(openRank, Int(otherRank))
            default: break
            }
            return true
        }
        guard seed == index else {
            states[index] = openRank < Int(seedRank) ? .gathered : .settled
            guard states[index] == .gathered else { return }
            doubtful.append(index)
            uncertainSeeds.append(seed)
            return
        }
        states[index] = .open
        doubtful.append(index)
        displaced.append(index)
        neighbourhood.visit(around: index) { other in
            let otherRank = level.rank[other]
            if otherRank > rank, states[other] == .sure {
                states[other] = .waiting
                queue.insert(Keyed(otherRank, other))
            }
            return true
        }
    }

    /// Casts doubt on a cluster, whose members are known but for some.
    private mutating func shake(_ seed: Int) {
        guard states[seed] == .sure else { return }
        states[seed] = .uncertain
        doubtful.append(seed)
        displaced.append(seed)
        neighbourhood.visit(around: seed) { other in
            let isMember = Int(owner[other]) == seed
            if isMember, states[other] == .sure || states[other] == .settled {
                states[other] = .uncertain
                doubtful.append(other)
            }
            return true
        }
    }
}
