import Geometry
import ParallelColumns
import TestSupport
import Testing

@testable import Clustering

/// Passes over a part of the world against the same over all of it: who is not in doubt fares alike, whatever
/// lies on unknown ground.
struct DoubtOfPassTests {
    private static let radius = 0x1p-5

    /// A world of which the east is unknown, and some nodes of the west are where they may not be.
    private struct World {
        var positions: [WorldPoint]
        /// Whether each is on known ground, and whether it is in doubt before the pass.
        var isKnown: [Bool]
        var isUnsure: [Bool]

        init(using random: inout SeededRandom) {
            let count = Int.random(in: 2...30, using: &random)
            let width = Double.random(in: 2...9, using: &random) * radius
            positions = (0..<count).map { _ in
                WorldPoint(
                    x: 0.5 + (random.unit() - 0.7) * width,
                    y: 0.5 + (random.unit() - 0.5) * 3 * radius)
            }
            isKnown = positions.map { $0.x < 0.5 }
            let chance = [8, 1_000].randomElement(using: &random)!
            isUnsure = isKnown.map { $0 && Int(random.next() % 1_000) < 1_000 / chance }
        }

        /// The level of some nodes, in the order in which all stand.
        func level(_ isIn: [Bool]) -> (PlacedLevel, numbers: [Int]) {
            let numbers = positions.indices.filter { isIn[$0] }
            let placed = PlacedLevel(
                numbers.map { positions[$0] }, ranks: Array(numbers.indices),
                bands: Bands(radius: radius))
            return (placed, (0..<numbers.count).map { numbers[placed.level.node[$0].number] })
        }

        /// What a pass may take for unknown: nodes by which one that is not there may be.
        func isNear(_ index: Int) -> Bool {
            positions[index].x + 1.001 * radius >= 0.5
                || positions.indices.contains { other in
                    isUnsure[other] && other != index
                        && positions[other].squaredDistance(to: positions[index])
                            <= 1.002 * radius * radius
                }
        }
    }

    /// By whom a node is gathered, and whom it gathers, by the numbers of the world.
    private struct Fate: Equatable {
        var owner: Int
        var members: Set<Int>
    }

    private static func fates(
        _ level: Level, _ numbers: [Int], _ assignment: Assignment, _ rule: MergeRule
    ) -> [Int: Fate] {
        var members: [Int: Set<Int>] = [:]
        for index in 0..<level.count {
            members[numbers[Int(assignment.owner[index])], default: []].insert(numbers[index])
        }
        return Dictionary(
            uniqueKeysWithValues: (0..<level.count).map { index in
                let owner = numbers[Int(assignment.owner[index])]
                return (numbers[index], Fate(owner: owner, members: members[numbers[index]] ?? []))
            })
    }

    /// How many nodes are sure of themselves, of how many that are known.
    private static func check(
        _ algorithm: any ClusteringAlgorithm, leastPoints: Int, seed: UInt64
    ) -> (sure: Int, known: Int) {
        var random = SeededRandom(seed: seed)
        let rule = MergeRule(minPoints: leastPoints, minSites: 1)
        let workers = Workers(1, scratch: Arena())
        var (sure, known) = (0, 0)
        for _ in 0..<250 {
            let world = World(using: &random)
            let (part, numbers) = world.level(world.isKnown)
            // The world as it is: what was unsure is not there.
            let (whole, all) = world.level(world.isUnsure.map { !$0 })
            let seen = algorithm.assignment(
                of: part.level, rule: rule, wraps: true, workers: workers)
            let states = numbers.map { number -> DoubtOfPass.State in
                world.isUnsure[number] ? .unknown : world.isNear(number) ? .near : .sure
            }
            let doubtful = doubtful(after: seen, of: part.level, states, rule)
            let fates = fates(part.level, numbers, seen, rule)
            let truth = Self.fates(
                whole.level, all,
                algorithm.assignment(of: whole.level, rule: rule, wraps: true, workers: workers),
                rule)
            for index in numbers.indices where !doubtful.contains(index) {
                guard states[index] != .unknown else { continue }
                sure += 1
                #expect(fates[numbers[index]] == truth[numbers[index]], "\(world)")
            }
            known += numbers.count
            #expect(doubtful.count == Set(doubtful).count)
        }
        return (sure, known)
    }

    private static func doubtful(
        after assignment: Assignment, of level: Level, _ states: [DoubtOfPass.State],
        _ rule: MergeRule
    ) -> [Int] {
        guard level.count > 0, let near = assignment.neighbourhood else { return [] }
        guard rule.acceptsAnyPair else {
            var pass = DoubtOfRefusals(level, assignment, near, states)
            pass.run()
            return pass.doubtful
        }
        var pass = DoubtOfPass(level, assignment, near, states)
        pass.run()
        #expect(Set(pass.displaced).isSubset(of: pass.doubtful))
        return pass.doubtful
    }

    @Test(arguments: UInt64(0)..<3)
    func `who is not in doubt fares as in the whole world, where all may merge`(seed: UInt64) {
        let found = Self.check(SpacedAlgorithm(), leastPoints: 2, seed: seed + 810)
        // And few are in doubt: as many as today, or fewer.
        #expect(found.sure * 100 >= found.known * 35, "\(found)")
    }

    @Test(arguments: UInt64(0)..<3)
    func `who is not in doubt fares as in the whole world, where some are refused`(seed: UInt64) {
        let found = Self.check(SpacedAlgorithm(), leastPoints: 3, seed: seed + 820)
        #expect(found.sure * 100 >= found.known * 30, "\(found)")
    }
}
