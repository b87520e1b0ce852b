import Geometry
import ParallelColumns
import TestSupport
import Testing

@testable import Clustering

/// Who lies within the radius of whom, against a look at every pair.
struct NeighbourhoodTests {
    private static let radii = [0x1p-10, 0x1p-6, 0x1p-3, 0.25, 0.5, 2]

    /// Calls `body` with levels of every shape, a few nodes each.
    private static func forEachLevel(
        _ seed: UInt64, _ body: (PlacedLevel, inout SeededRandom) -> Void
    ) {
        var random = SeededRandom(seed: seed)
        for shape in PlacedLevel.Shape.allCases {
            for radius in radii {
                for count in [0, 1, 2, Int.random(in: 3...40, using: &random)] {
                    let placed = PlacedLevel(
                        shape, count: count, bands: Bands(radius: radius), using: &random)
                    body(placed, &random)
                }
            }
        }
    }

    /// A range cut at random, some pieces of which are empty.
    private static func cuts(of count: Int, using random: inout SeededRandom) -> [Range<Int>] {
        var ends = [count]
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
            ends.append(Int.random(in: 0...count, using: &random))
        }
        ends.sort()
        return zip([0] + ends, ends).map { $0..<$1 }
    }

    @Test(arguments: [true, false], UInt64(0)..<3)
    func `each node finds all that are within the radius once, and nothing else`(
        wraps: Bool, seed: UInt64
    ) {
        Self.forEachLevel(seed &+ 500) { placed, random in
            let level = placed.level
            let found = Neighbourhood(level, wraps: wraps, scratch: Arena())
            for range in Self.cuts(of: level.count, using: &random) { found.prepare(range) }
            for index in 0..<level.count {
                let wanted = placed.near(index, wraps: wraps)
                var seen: [Int] = []
                found.visit(around: index) { other in
                    seen.append(other)
                    return true
                }
                #expect(seen.sorted() == wanted, "\(level.bands.radius) \(index)")
                #expect(found.isAlone(index) == wanted.isEmpty, "\(level.bands.radius) \(index)")
            }
        }
    }

    @Test(arguments: [true, false])
    func `a search ends where it is told to`(wraps: Bool) {
        Self.forEachLevel(510) { placed, random in
            let level = placed.level
            let found = Neighbourhood(level, wraps: wraps, scratch: Arena())
            found.prepare(0..<level.count)
            for index in 0..<level.count {
                let limit = Int.random(in: 1...6, using: &random)
                var count = 0
                found.visit(around: index) { _ in
                    count += 1
                    return count < limit
                }
                #expect(count == min(limit, placed.near(index, wraps: wraps).count))
            }
        }
    }

    @Test func `the search above and below begins at the first that may be near`() {
        Self.forEachLevel(520) { placed, _ in
            let level = placed.level
            let found = Neighbourhood(level, wraps: false, scratch: Arena())
            found.prepare(0..<level.count)
            for index in 0..<level.count {
                let west = level.x[index] - level.bands.reach
                for (step, start) in [
                    (-1, found.firstAbove(index)), (1, found.firstBelow(index)),
                ] {
                    let band = (0..<level.count).filter {
                        level.band(of: $0) == level.band(of: index) + step
                    }
                    let first = band.first { level.x[$0] >= west }
                    #expect(start == first ?? band.last.map { $0 + 1 } ?? level.count)
                }
            }
        }
    }

    @Test func `ties are noted where they are watched, and decided alike`() {
        var ties = (met: 0, none: 0)
        Self.forEachLevel(530) { placed, _ in
            let level = placed.level
            let plain = Neighbourhood(level, wraps: false, scratch: Arena())
            let watching = Neighbourhood(
                level, wraps: false, watchesTies: true, scratch: Arena())
            for found in [plain, watching] { found.prepare(0..<level.count) }
            var areTied = false
            for index in 0..<level.count {
                var seen: [[Int]] = [[], []]
                for (which, found) in [plain, watching].enumerated() {
                    found.visit(around: index) { other in
                        seen[which].append(other)
                        return true
                    }
                }
                #expect(seen[0] == seen[1])
                for other in 0..<level.count where other != index {
                    let gap = placed.square(index, other, wraps: false).squareRoot()
                    if abs(gap - level.bands.radius) < Nearness.tieWidth / 2 { areTied = true }
                }
            }
            #expect(watching.metTie == areTied && !plain.metTie)
            if areTied { ties.met += 1 } else { ties.none += 1 }
        }
        #expect(ties.met > 2 && ties.none > 20)
    }
}
