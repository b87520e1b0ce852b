import ArchiveContract
import TestSupport
import Testing

struct GridHullTests {
    private func hull(_ points: [(Int32, Int32)]) -> [GridPoint] {
        GridHull(of: points.map { GridPoint(x: $0.0, y: $0.1) }).corners
    }

    @Test func `nothing, a point and a line have small hulls`() {
        #expect(hull([]).isEmpty)
        #expect(hull([(1, 2), (1, 2)]) == [GridPoint(x: 1, y: 2)])
        let line = (0...4).map { (Int32($0), Int32($0)) }
        #expect(hull(line) == [GridPoint(x: 0, y: 0), GridPoint(x: 4, y: 4)])
    }

    @Test func `a hull runs clockwise on the map and starts in the west`() {
        let square: [(Int32, Int32)] = [(2, 2), (8, 2), (8, 6), (2, 6)]
        let inner: [(Int32, Int32)] = [(4, 4), (5, 2), (2, 4)]
        #expect(
            hull((square + inner + square).shuffled()) == square.map { GridPoint(x: $0.0, y: $0.1) }
        )
        #expect(hull([(8, 6), (2, 2)]) == [GridPoint(x: 2, y: 2), GridPoint(x: 8, y: 6)])
    }

    @Test func `every point is inside and every corner is needed`() {
        var random = SeededRandom(seed: 4)
        for count in 3..<60 {
            // A coarse grid, so that duplicates and straight runs are common.
            let points = (0..<count).map { _ in
                GridPoint(x: Int32(random.next() % 16) - 8, y: Int32(random.next() % 16))
            }
            let corners = GridHull(of: points).corners
            guard corners.count > 2 else { continue }
            for (index, corner) in corners.enumerated() {
                let next = corners[(index + 1) % corners.count]
                let after = corners[(index + 2) % corners.count]
                #expect(turn(corner, next, after) > 0)
                #expect(points.allSatisfy { turn(corner, next, $0) >= 0 })
            }
            #expect(Set(corners).isSubset(of: points))
        }
    }

    private func turn(_ a: GridPoint, _ b: GridPoint, _ c: GridPoint) -> Int32 {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
}
