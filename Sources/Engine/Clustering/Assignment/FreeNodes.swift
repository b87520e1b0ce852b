import Geometry
import ParallelColumns

/// Decides whether enough of what lies near a node is still free, without a look at each node.
///
/// The nodes lie along the Hilbert curve in blocks, which are the leaves of a tree of boxes. Each box knows how much
/// in it is free. One that lies within the radius, or outside it, is not looked into, and the search ends as soon as
/// the boxes left to look into make no difference.
struct FreeNodes {
    private let level: Level
    private let rule: MergeRule
    private let neighbourhood: Neighbourhood
    private let nearness: Nearness
    /// The nodes in the order of the blocks, and for each node its place there.
    private let nodes: [Int]
    private let places: [Int]
    private var isFree: [Bool]
    /// The first box is the root; those below box n are 2n + 1 and 2n + 2. The blocks come last.
    private var boxes: [Box]
    private let firstBlock: Int
    /// Whether no node in a box will be accepted any more.
    private var isHopeless: [Bool]
    /// The boxes that are still to be looked at: larger ones come first.
    private var queue: [Int] = []

    private static let blockSize = 8

    /// A rectangle, and what is free in it.
    private struct Box {
        var least = SIMD2(repeating: Double.infinity)
        var most = SIMD2(repeating: -Double.infinity)
        var free = Amount()

        mutating func add(_ other: Box) {
            least = pointwiseMin(least, other.least)
            most = pointwiseMax(most, other.most)
            free.add(other.free)
        }
    }

    /// What a rule counts.
    private struct Amount {
        var points = 0
        var sites = 0

        mutating func add(_ other: Amount) {
            points += other.points
            sites += other.sites
        }

        mutating func remove(_ other: Amount) {
            points -= other.points
            sites -= other.sites
        }

        @inline(__always)
        func isAtLeast(_ other: Amount) -> Bool { points >= other.points && sites >= other.sites }
    }

    /// - Parameter isFree: whether a node is free at first.
    /// - Complexity: O(n log n).
    init(
        _ neighbourhood: Neighbourhood, _ rule: MergeRule, workers: Workers, isFree: (Int) -> Bool
    ) {
        let level = neighbourhood.level
        (self.level, self.rule, self.neighbourhood) = (level, rule, neighbourhood)
        nearness = Nearness(radius: level.bands.radius, watchesTies: true)
        let sorted = RadixSort.order(of: level.count, bits: 62, workers: workers) { node in
            func cell(_ coordinate: Double) -> UInt32 {
                UInt32(min(max(coordinate, 0), 1) * 0x1p31.nextDown)
            }
            return Hilbert.distance(x: cell(level.x[node]), y: cell(level.y[node]), order: 31)
        }
        nodes = (0..<level.count).map { Int(sorted[$0].item) }
        var places = Array(repeating: 0, count: level.count)
        for (place, node) in nodes.enumerated() { places[node] = place }
        self.places = places
        self.isFree = (0..<level.count).map(isFree)
        var blocks = 1
        while blocks * Self.blockSize < level.count { blocks *= 2 }
        firstBlock = blocks - 1
        boxes = Array(repeating: Box(), count: 2 * blocks - 1)
        isHopeless = Array(repeating: false, count: boxes.count)
        for (place, node) in nodes.enumerated() where self.isFree[node] {
            let position = SIMD2(level.x[node], level.y[node])
            boxes[firstBlock + place / Self.blockSize].add(
                Box(least: position, most: position, free: amount(node)))
        }
        for box in boxes.indices.dropFirst().reversed() { boxes[(box - 1) / 2].add(boxes[box]) }
    }

    private func amount(_ node: Int) -> Amount {
        Amount(points: Int(level.points[node]), sites: level.siteCount(of: node))
    }

    /// Notes that a node is no longer free.
    /// - Complexity: O(log n).
    mutating func remove(_ node: Int) {
        isFree[node] = false
        var box = firstBlock + places[node] / Self.blockSize
        while true {
            boxes[box].free.remove(amount(node))
            guard box > 0 else { return }
            box = (box - 1) / 2
        }
    }

    /// Whether the rule accepts a free node and all other free ones within its radius; there must be another.
    mutating func accepts(_ node: Int) -> Bool {
        let block = firstBlock + places[node] / Self.blockSize
        var box = block
        while !isHopeless[box] {
            guard box == 0 else {
                box = (box - 1) / 2
                continue
            }
            let position = SIMD2(level.x[node], level.y[node])
            let own = Box(least: position, most: position, free: amount(node))
            let least = Amount(
                points: max(rule.minPoints, own.free.points + 1), sites: rule.minSites)
            if isReached(least, from: own, node: node) { return true }
            ruleOut(from: block)
            return false
        }
        return false
    }

    /// Rules out a block, and larger boxes around it, where less is free within reach of all their nodes than any
    /// needs: as nothing becomes free again, none will be accepted.
    private mutating func ruleOut(from block: Int) {
        let least = Amount(points: rule.minPoints, sites: rule.minSites)
        var box = block
        while !isHopeless[box], !isReached(least, from: boxes[box], node: nil) {
            isHopeless[box] = true
            guard box > 0 else { return }
            box = (box - 1) / 2
        }
    }

    /// Whether so much is free within the radius of a node; for a box, whether it may be for a node in it.
    private mutating func isReached(_ least: Amount, from own: Box, node: Int?) -> Bool {
        var sure = Amount()
        var possible = boxes[0].free
        queue.removeAll(keepingCapacity: true)
        queue.append(0)
        var next = 0
        while possible.isAtLeast(least), !sure.isAtLeast(least) {
            // A box that is cut by the radius around another box is left as it is.
            guard next < queue.count else { return true }
            let box = queue[next]
            next += 1
            switch part(of: boxes[box], near: own) {
            case .all: sure.add(boxes[box].free)
            case .none: possible.remove(boxes[box].free)
            case .some where box < firstBlock:
                if boxes[2 * box + 1].free.points > 0 { queue.append(2 * box + 1) }
                if boxes[2 * box + 2].free.points > 0 { queue.append(2 * box + 2) }
            case .some:
                guard let node else { continue }
                let start = (box - firstBlock) * Self.blockSize
                for place in start..<min(start + Self.blockSize, nodes.count) {
                    let other = nodes[place]
                    guard isFree[other] else { continue }
                    if neighbourhood.isNear(other, to: node) {
                        sure.add(amount(other))
                    } else {
                        possible.remove(amount(other))
                    }
                }
            }
        }
        return sure.isAtLeast(least)
    }

    private enum Part { case none, some, all }

    /// How much of a box lies within the radius of another; `some` if that is a close call.
    @inline(__always)
    private func part(of box: Box, near own: Box) -> Part {
        let (before, behind) = (box.least - own.most, own.least - box.most)
        var near = pointwiseMax(pointwiseMax(before, behind), .zero)
        var far = pointwiseMax(box.most - own.least, own.most - box.least)
        if neighbourhood.wraps {
            // The way is the shorter of the two around the world.
            (near.x, far.x) = (max(min(near.x, 1 - far.x), 0), min(far.x, 1 - near.x))
        }
        if (near * near).sum() > nearness.maybe { return .none }
        return (far * far).sum() < nearness.surely ? .all : .some
    }
}
