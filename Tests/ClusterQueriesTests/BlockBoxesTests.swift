import Geometry
import TestSupport
import Testing

@testable import ClusterQueries

/// Which blocks a search looks into and in which order, against distances reckoned one by one.
struct BlockBoxesTests {
    private static func box(_ random: inout SeededRandom) -> WorldBox {
        let (x, y) = (random.unit(), random.unit() * 0.8)
        // Some go on past the antimeridian.
        let (width, height) = (random.unit() * 0.3, random.unit() * 0.2)
        return WorldBox(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    /// How far a place lies from a stretch.
    private static func gap(_ place: Double, _ stretch: ClosedRange<Double>) -> Double {
        abs(place - min(max(place, stretch.lowerBound), stretch.upperBound))
    }

    @Test func `blocks come by their distance the shorter way around the world`() {
        var random = SeededRandom(seed: 12)
        for round in 0..<60 {
            let boxes = (0..<30).map { $0 % 7 == 3 ? nil : Self.box(&random) }
            let place = WorldPoint(x: round % 9 == 0 ? 0 : random.unit(), y: random.unit())
            let distances = boxes.map { box in
                box.map { box in
                    let east = (-2...2).map { Self.gap(place.x + Double($0), box.minX...box.maxX) }
                    let south = Self.gap(place.y, box.minY...box.maxY)
                    return ((east.min() ?? 0) * (east.min() ?? 0) + south * south).squareRoot()
                }
            }
            for reach in [0, 0.05, 0.2, .infinity] {
                let found = BlockBoxes(boxes: boxes).blocks(near: place, reach: reach)
                let wanted = distances.indices.filter { distances[$0] ?? .infinity <= reach }
                    .filter { boxes[$0] != nil }
                #expect(Set(found.map(\.block)) == Set(wanted.map(Int64.init)))
                #expect(found.map(\.distance) == found.map(\.distance).sorted())
                for (block, distance) in found {
                    #expect(abs(distance - (distances[Int(block)] ?? -1)) < 1e-12)
                }
            }
        }
    }

    @Test func `of blocks that are as far the first comes first`() {
        let box = WorldBox(minX: 0.1, minY: 0.1, maxX: 0.2, maxY: 0.2)
        let boxes = BlockBoxes(boxes: Array(repeating: box, count: 9))
        for place in [WorldPoint(x: 0.15, y: 0.15), WorldPoint(x: 0.7, y: 0.9)] {
            let found = boxes.blocks(near: place, reach: .infinity)
            #expect(found.map(\.block) == Array(0..<9))
        }
    }

    @Test func `boxes touch and hold what lies on their edges`() {
        let box = WorldBox(minX: 0.25, minY: 0.5, maxX: 0.5, maxY: 0.75)
        let steps = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]
        for x in steps {
            for y in steps {
                let isInside = (0.25...0.5).contains(x) && (0.5...0.75).contains(y)
                #expect(box.contains(WorldPoint(x: x, y: y)) == isInside)
                for (width, height) in [(0.0, 0.0), (0.125, 0.25), (0.5, 0.125)] {
                    let other = WorldBox(minX: x, minY: y, maxX: x + width, maxY: y + height)
                    let touches =
                        (x...x + width).overlaps(0.25...0.5)
                        && (y...y + height).overlaps(0.5...0.75)
                    #expect(box.touches(other) == touches && other.touches(box) == touches)
                }
            }
        }
    }
}
