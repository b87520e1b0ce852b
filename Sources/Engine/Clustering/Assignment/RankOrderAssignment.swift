import ParallelColumns

/// Finds which node gathers which if nodes are visited in rank order, without visiting them in that order.
///
/// A visited node is unclaimed, so no node visited before lies within the radius. The visited
/// nodes are therefore the one maximal set of nodes without neighbours among them that prefers
/// lower ranks; and each other node belongs to the visited neighbour of lowest rank. Whether a
/// node is in the set depends only on its neighbours of lower rank. So workers walk ranges of
/// the level, each along its memory, and decide lower-ranked neighbours first where they must; what
/// depends on another worker's range is left to the end. The answer does not depend on the worker.
///
/// Each search around an undecided node leads, over ever lower ranks, to a new member of the set, and
/// members are further apart than the radius: crowds cost no more than O(n) either.
struct RankOrderAssignment: ~Copyable {
    private let neighbourhood: Neighbourhood
    /// Unchecked, as it is read for each neighbour of each node. Indexes come from the neighbourhood or from
    /// `owner` itself; the level and `find` keep the memory.
    private let ranks: UncheckedColumn<UInt32>
    private let owner: UncheckedColumn<UInt32>
    private let range: Range<Int>
    private var stack: [Int] = []
    private var left = Left()

    /// What is left to do after a range.
    private struct Left {
        /// Nodes of the range whose answer depends on another range.
        var deferred: [Int] = []
        /// Members with neighbours outside the range, which are still to be assigned.
        var reachingOut: [Int] = []
    }

    private static let undecided = UInt32.max
    /// Undecided, and known to depend on nodes that another worker decides.
    private static let deferred = UInt32.max - 1

    private init(_ neighbourhood: Neighbourhood, _ owner: SharedColumn<UInt32>, _ range: Range<Int>)
    {
        self.neighbourhood = neighbourhood
        unsafe ranks = neighbourhood.level.rank.unchecked
        unsafe self.owner = owner.unchecked
        self.range = range
    }

    static func find(
        in level: Level, wraps: Bool, watchesTies: Bool = false, workers: Workers
    ) -> Assignment {
        let neighbourhood = Neighbourhood(
            level, wraps: wraps, watchesTies: watchesTies, scratch: workers.scratch)
        let owner = SharedColumn<UInt32>(count: level.count, in: workers.scratch)
        let ranges = workers.cut(level.count, eachAtLeast: 2_048)
        let parts = workers.map(ranges) { range in
            var part = RankOrderAssignment(neighbourhood, owner, range)
            part.decideAll()
            return part.left
        }
        var rest = RankOrderAssignment(neighbourhood, owner, 0..<level.count)
        for part in parts {
            for member in part.reachingOut { rest.assignNeighbours(of: member) }
        }
        rest.decide(deferred: parts.flatMap(\.deferred))
        return Assignment(owner: owner, neighbourhood: neighbourhood)
    }

    private mutating func decideAll() {
        neighbourhood.prepare(range)
        for index in range {
            let alone = neighbourhood.isAlone(index)
            owner[index] = alone ? UInt32(truncatingIfNeeded: index) : Self.undecided
        }
        for index in range where owner[index] == Self.undecided { decide(index) }
    }

    private func isSettled(_ index: Int) -> Bool { owner[index] < Self.deferred }

    private mutating func decide(deferred: [Int]) {
        for index in deferred where !isSettled(index) {
            owner[index] = Self.undecided
        }
        for index in deferred where !isSettled(index) { decide(index) }
    }

    private mutating func decide(_ first: Int) {
        stack.append(first)
        while let index = stack.last {
            guard owner[index] == Self.undecided else {
                stack.removeLast()
                continue
            }
            var followers = Followers()
            switch search(before: index, &followers) {
            case .lower(let next):
                stack.append(next)
            case .blocked:
                stack.removeLast()
                owner[index] = Self.deferred
                left.deferred.append(index)
            case .none:
                stack.removeLast()
                owner[index] = UInt32(truncatingIfNeeded: index)
                assign(followers, for: index)
            }
        }
    }

    /// The neighbours of higher rank that a search found, so that assigning them needs no second search. Those of
    /// lower rank were gathered by nodes of still lower rank.
    private struct Followers {
        private(set) var nodes = InlineArray<8, UInt32>(repeating: 0)
        private(set) var count = 0
        /// Whether some lie outside the range.
        var reachOut = false

        var overflow: Bool { count > nodes.count }

        @inline(__always)
        mutating func add(_ index: Int) {
            if count < nodes.count { nodes[count] = UInt32(truncatingIfNeeded: index) }
            count += 1
        }
    }

    /// What keeps a node from being decided.
    private enum Obstacle {
        /// Nothing: no undecided neighbour has a lower rank.
        case none
        /// The undecided neighbour of lowest rank, which can be decided first.
        case lower(Int)
        /// A neighbour of lower rank that this worker can't decide.
        case blocked
    }

    /// Finds what keeps a node from being decided. The search ends at the first neighbour that blocks. So a crowd
    /// across the end of the range is deferred node by node, and each search soon meets a deferred neighbour.
    @inline(__always)
    private func search(before index: Int, _ followers: inout Followers) -> Obstacle {
        let own = ranks[index]
        var lowest = own
        var next: Int?
        var isBlocked = false
        neighbourhood.visit(around: index) { other in
            let rank = ranks[other]
            // Another worker may be deciding this node, so only its rank is read.
            guard range.contains(other) else {
                isBlocked = rank < own
                followers.reachOut = true
                return !isBlocked
            }
            guard rank < own else {
                followers.add(other)
                return true
            }
            let state = owner[other]
            if state == Self.deferred {
                isBlocked = true
                return false
            }
            if state == Self.undecided, rank < lowest {
                lowest = rank
                next = other
            }
            return true
        }
        return isBlocked ? .blocked : next.map(Obstacle.lower) ?? .none
    }

    private mutating func assign(_ followers: Followers, for member: Int) {
        if followers.reachOut { left.reachingOut.append(member) }
        guard !followers.overflow else {
            assignNeighbours(of: member)
            return
        }
        let rank = ranks[member]
        for follower in 0..<followers.count {
            assign(Int(followers.nodes[follower]), for: member, rank)
        }
    }

    private func assignNeighbours(of member: Int) {
        let rank = ranks[member]
        neighbourhood.visit(around: member) { other in
            if range.contains(other) { assign(other, for: member, rank) }
            return true
        }
    }

    @inline(__always)
    private func assign(_ other: Int, for member: Int, _ rank: UInt32) {
        let rival = owner[other]
        if rival >= Self.deferred || rank < ranks[rival] {
            owner[other] = UInt32(truncatingIfNeeded: member)
        }
    }
}
