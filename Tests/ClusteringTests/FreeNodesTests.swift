import ParallelColumns
import TestSupport
import Testing

@testable import Clustering

/// Whether enough is free near a node, found in boxes, against a look at each node.
struct FreeNodesTests {
    private static let workers = Workers(1, scratch: Arena())

    /// Levels of all shapes, with nodes of several points each.
    private static func forEachLevel(
        _ seed: UInt64, counts: ClosedRange<Int>,
        _ body: (PlacedLevel, inout SeededRandom) -> Void
    ) {
        var random = SeededRandom(seed: seed)
        for shape in PlacedLevel.Shape.allCases {
            for radius in [0x1p-20, 0x1p-7, 0x1p-3, 0.5] {
                let count = Int.random(in: counts, using: &random)
                let placed = PlacedLevel(
                    shape, count: count, bands: Bands(radius: radius), using: &random)
                for index in 0..<count {
                    placed.level.points[index] = Int.random(in: 1...9, using: &random)
                }
                body(placed, &random)
            }
        }
    }

    private static func rule(_ most: Int, using random: inout SeededRandom) -> MergeRule {
        MergeRule(
            minPoints: Int.random(in: 2...max(most, 2), using: &random),
            minSites: Int.random(in: 1...max(most / 6, 1), using: &random))
    }

    @Test(arguments: [true, false])
    func `boxes accept what a look at each free node accepts`(wraps: Bool) {
        var answers = [0, 0]
        Self.forEachLevel(7100, counts: 1...120) { placed, random in
            let level = placed.level
            let total = (0..<level.count).reduce(0) { $0 + level.points[$1] }
            for most in [4, 20, total / 4, total] {
                let rule = Self.rule(most, using: &random)
                var isFree = (0..<level.count).map { _ in random.next() % 4 != 0 }
                var free = FreeNodes(
                    Neighbourhood(level, wraps: wraps, scratch: Self.workers.scratch), rule,
                    workers: Self.workers
                ) { isFree[$0] }
                for index in 0..<level.count where isFree[index] {
                    let near = placed.near(index, wraps: wraps).filter { isFree[$0] }
                    let points = near.reduce(level.points[index]) { $0 + level.points[$1] }
                    let wanted =
                        !near.isEmpty && rule.accepts(points: points, sites: near.count + 1)
                    #expect(free.accepts(index) == wanted)
                    answers[wanted ? 1 : 0] += 1
                    guard wanted, random.next() % 3 == 0 else { continue }
                    for other in [index] + near {
                        isFree[other] = false
                        free.remove(other)
                    }
                }
            }
        }
        #expect(answers.allSatisfy { $0 > 200 })
    }

    @Test(arguments: [true, false])
    func `a pass with boxes gathers what a walk without them gathers`(wraps: Bool) {
        Self.forEachLevel(7200, counts: 100...300) { placed, random in
            let level = placed.level
            let total = (0..<level.count).reduce(0) { $0 + level.points[$1] }
            for most in [10, total / 4, 2 * total] {
                let rule = Self.rule(most, using: &random)
                let found = SpacedAlgorithm().assignment(
                    of: level, rule: rule, wraps: wraps, workers: Self.workers)
                #expect(
                    (0..<level.count).map { Int(found.owner[$0]) }
                        == Self.wanted(placed, rule, wraps: wraps))
            }
        }
    }

    /// The owners of nodes that are visited by rank, where refused nodes stay free.
    private static func wanted(_ placed: PlacedLevel, _ rule: MergeRule, wraps: Bool) -> [Int] {
        let level = placed.level
        var owners = [Int?](repeating: nil, count: level.count)
        for index in (0..<level.count).sorted(by: { level.rank[$0] < level.rank[$1] })
        where owners[index] == nil {
            let free = placed.near(index, wraps: wraps).filter { owners[$0] == nil }
            let points = free.reduce(level.points[index]) { $0 + level.points[$1] }
            guard !free.isEmpty, rule.accepts(points: points, sites: free.count + 1) else {
                continue
            }
            for other in [index] + free { owners[other] = index }
        }
        return owners.enumerated().map { $1 ?? $0 }
    }

    @Test func `where nothing may merge, hardly more than the boxes of the world are looked at`() {
        // Each of these would look at all others: four hundred million times.
        var random = SeededRandom(seed: 7300)
        let placed = PlacedLevel(
            .anywhere, count: 20_000, bands: Bands(radius: 0.5), using: &random)
        let rule = MergeRule(minPoints: 20_001, minSites: 1)
        var owners: [Int] = []
        let time = ContinuousClock().measure {
            let found = SpacedAlgorithm().assignment(
                of: placed.level, rule: rule, wraps: true, workers: Self.workers)
            owners = (0..<20_000).map { Int(found.owner[$0]) }
        }
        #expect(owners == Array(0..<20_000))
        #expect(time < .seconds(20))
    }
}
