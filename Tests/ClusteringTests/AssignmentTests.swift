import ParallelColumns
import TestSupport
import Testing

@testable import Clustering

/// Who gathers whom in one pass, against a walk in the order of ranks.
struct AssignmentTests {
    private static let workers = Workers(1, scratch: Arena())

    private static func owners(
        _ algorithm: any ClusteringAlgorithm, _ level: Level, _ rule: MergeRule, wraps: Bool
    ) -> [Int] {
        let found = algorithm.assignment(of: level, rule: rule, wraps: wraps, workers: workers)
        return (0..<level.count).map { Int(found.owner[$0]) }
    }

    /// The nodes of a level by rank.
    private static func order(_ level: Level) -> [Int] {
        (0..<level.count).sorted { level.rank[$0] < level.rank[$1] }
    }

    /// Each node that no other gathered gathers those near it that are free, too; where so few may not
    /// merge they stay free for others, and in the end have themselves.
    private static func wanted(_ placed: PlacedLevel, leastPoints: Int, wraps: Bool) -> [Int] {
        var owners = [Int?](repeating: nil, count: placed.level.count)
        for index in order(placed.level) where owners[index] == nil {
            let free = placed.near(index, wraps: wraps).filter { owners[$0] == nil }
            guard free.count + 1 >= leastPoints else { continue }
            for other in [index] + free { owners[other] = index }
        }
        return owners.enumerated().map { $1 ?? $0 }
    }

    private static func forEachLevel(_ seed: UInt64, isGrid: Bool, _ body: (PlacedLevel) -> Void) {
        var random = SeededRandom(seed: seed)
        for shape in PlacedLevel.Shape.allCases {
            for radius in [0x1p-7, 0x1p-3, 0.5] {
                for count in [0, 1, 2, Int.random(in: 3...50, using: &random)] {
                    let bands = isGrid ? Bands(cellSide: radius) : Bands(radius: radius)
                    body(PlacedLevel(shape, count: count, bands: bands, using: &random))
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `the first in rank gathers what is near, without regard to refusals`(wraps: Bool) {
        let pair = MergeRule(minPoints: 2, minSites: 1)
        Self.forEachLevel(580, isGrid: false) { placed in
            let wanted = Self.wanted(placed, leastPoints: 1, wraps: wraps)
            for algorithm: any ClusteringAlgorithm in [
                GreedyAlgorithm(watchesTies: true), GreedyAlgorithm(watchesTies: false),
                SpacedAlgorithm(),
            ] {
                #expect(Self.owners(algorithm, placed.level, pair, wraps: wraps) == wanted)
            }
        }
    }

    @Test(arguments: [true, false], [3, 5])
    func `who is refused stays free for those that come later`(wraps: Bool, leastPoints: Int) {
        let rule = MergeRule(minPoints: leastPoints, minSites: 1)
        Self.forEachLevel(590, isGrid: false) { placed in
            let wanted = Self.wanted(placed, leastPoints: leastPoints, wraps: wraps)
            let found = Self.owners(SpacedAlgorithm(), placed.level, rule, wraps: wraps)
            #expect(found == wanted)
        }
    }

    @Test func `of each cell of a grid the first in rank has all`() {
        Self.forEachLevel(600, isGrid: true) { placed in
            let level = placed.level
            let side = level.bands.radius
            func cell(_ index: Int) -> [Double] {
                [level.x[index], level.y[index]].map { ($0 / side).rounded(.down) }
            }
            let wanted = (0..<level.count).map { index in
                Self.order(level).first { cell($0) == cell(index) } ?? -1
            }
            let rule = MergeRule(minPoints: 2, minSites: 1)
            #expect(Self.owners(GridAlgorithm(), level, rule, wraps: true) == wanted)
        }
    }

    @Test func `each seed lists what it gathered, and who was gathered lists nothing`() {
        var random = SeededRandom(seed: 610)
        for count in [1, 2, 7, 40] {
            let owner = SharedColumn<UInt32>(count: count, in: Arena())
            for index in 0..<count {
                owner[index] = UInt32.random(in: 0..<UInt32(count), using: &random)
            }
            // One that has itself is a seed; what others have that are none forms no cluster.
            for index in 0..<count where index % 3 == 0 { owner[index] = UInt32(index) }
            let lists = MemberLists(
                of: Assignment(owner: owner), workers: Workers(1, scratch: Arena()))
            for index in 0..<count where owner[index] == index {
                let wanted = (0..<count).filter { $0 != index && owner[$0] == index }
                var members: [Int] = []
                lists.forEach(of: index) { members.append($0) }
                #expect(members.sorted() == wanted)
                #expect(lists.isSeed(index) == !wanted.isEmpty)
            }
            for index in 0..<count where owner[index] != index { #expect(!lists.isSeed(index)) }
        }
    }

    @Test func `a group may merge that has as many points and sites as are asked for`() {
        for (points, sites) in [(2, 1), (2, 2), (3, 1), (2, 3), (5, 4)] {
            let rule = MergeRule(minPoints: points, minSites: sites)
            #expect(rule.acceptsAnyPair == (points <= 2 && sites <= 2))
            for (more, moreSites) in [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (-1, -1), (-1, 1)] {
                #expect(
                    rule.accepts(points: points + more, sites: sites + moreSites)
                        == (more >= 0 && moreSites >= 0))
            }
        }
    }
}
