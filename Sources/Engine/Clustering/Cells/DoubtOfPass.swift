import Basics
import ParallelColumns

/// Which nodes a pass leaves in doubt, where nodes are visited by rank and nothing is refused.
///
/// Each node is either a seed or gathered by the neighbour of lowest rank that is a seed. So a node depends only
/// on neighbours of lower rank, and doubt is followed by rank, starting from the nodes near unknown ground. A
/// node with a neighbour that is surely a seed is surely gathered, by that seed or another: it casts no doubt on
/// others, and this is where most doubt ends.
struct DoubtOfPass: Sendable {
    enum State: UInt8, Sendable {
        /// The result of the pass is certain for the node.
        case sure
        /// In doubt before the pass: part of the unknown ground.
        case unknown
        /// Near unknown ground, and waiting to be looked at.
        case near
        /// Near a node that may be a seed, and waiting to be looked at.
        case waiting
        /// May be a seed, or gathered, or neither.
        case open
        /// Surely gathered, but it is in doubt by which seed.
        case gathered
        /// Surely gathered by its owner, although it was in doubt.
        case settled
        /// In a cluster of which other members are in doubt.
        case uncertain
    }

    private let level: Level
    private let owner: SharedColumn<UInt32>
    private let neighbourhood: Neighbourhood
    private var states: [State]
    /// The nodes to look at, by rank.
    private var queue = LeastFirst<Keyed<UInt32, Int>>()
    private var uncertainSeeds: [Int] = []
    /// The nodes that this pass leaves in doubt.
    private(set) var doubtful: [Int] = []
    /// Those of them that may have become a cluster, or may still stand where they stood.
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
        // The neighbour of lowest rank that is surely a seed, and the lowest rank of one that may be a seed.
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

    /// Casts doubt on a cluster of which some members are uncertain.
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
