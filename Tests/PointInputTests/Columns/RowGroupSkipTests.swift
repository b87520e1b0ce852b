import Geometry
import TestSupport
import Testing

@testable import PointInput

/// Row groups that are not read, by where their geometries may be.
struct RowGroupSkipTests {
    private typealias Sides = (
        west: ClosedRange<Double>, south: ClosedRange<Double>, east: ClosedRange<Double>,
        north: ClosedRange<Double>
    )

    private static func isOutside(_ box: LonLatBox, _ sides: Sides) -> Bool {
        RowGroupSkip.isOutside(box, sides.west, sides.south, sides.east, sides.north)
    }

    private static func sides(_ boxes: [LonLatBox]) -> Sides {
        func range(_ side: KeyPath<LonLatBox, Double>) -> ClosedRange<Double> {
            let all = boxes.map { $0[keyPath: side] }.sorted()
            return all[0]...all[all.count - 1]
        }
        return (range(\.west), range(\.south), range(\.east), range(\.north))
    }

    private static func box(using random: inout SeededRandom) -> LonLatBox {
        // Of few numbers, so that sides often are the same.
        func number(_ most: Int) -> Double { Double(Int(random.next() % 9) - 4) / 4 * Double(most) }
        let (xs, ys) = ([number(160), number(160)].sorted(), [number(80), number(80)].sorted())
        return LonLatBox(west: xs[0], south: ys[0], east: xs[1], north: ys[1])
    }

    @Test(arguments: 0..<6)
    func `a group is outside where the box around all of it does not touch what is asked for`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        var found = [false: 0, true: 0]
        for _ in 0..<400 {
            let boxes = (0..<1 + random.next() % 3).map { _ in Self.box(using: &random) }
            var asked = Self.box(using: &random)
            if random.next() % 3 == 0 { (asked.west, asked.east) = (asked.east, asked.west) }
            let sides = Self.sides(boxes)
            let (west, east) = (sides.west.lowerBound, sides.east.upperBound)
            let (south, north) = (sides.south.lowerBound, sides.north.upperBound)
            // Across the antimeridian it is two boxes.
            let parts: [(west: Double, east: Double)] =
                asked.crossesAntimeridian
                ? [(asked.west, 180), (-180, asked.east)] : [(asked.west, asked.east)]
            let touches =
                south <= asked.north && north >= asked.south
                && parts.contains { west <= $0.east && east >= $0.west }
            #expect(Self.isOutside(asked, sides) == !touches)
            found[touches, default: 0] += 1
        }
        #expect(found.values.allSatisfy { $0 > 50 })
    }

    @Test func `what may be past the antimeridian, or no degrees, is read`() {
        let asked = LonLatBox(west: 50, south: 50, east: 60, north: 60)
        let well: Sides = (-170...0, -90...0, -160...10, -80...90)
        let far: Sides = (-170...0, -90...0, -160...10, -80 ... -70)
        #expect(Self.isOutside(asked, far) && Self.isOutside(asked, well))
        for (sides, isOutside) in [
            ((-180...0, -9...0, -160...10, 0...9), false),
            ((-179.9...0, -9...0, -160...10, 0...9), true),
            ((-170...0, -9...0, -160...180, 0...9), false),
            ((-170...0, -90.1...0, -160...10, 0...9), false),
            ((-170...0, -9...0, -160...10, 0...90.1), false),
            // Some geometry reaches over the antimeridian: its west is greater than its east.
            ((-100...20, -9...0, -160...10, 0...9), false),
            ((-100...20, -9...0, -90...10, 0...9), false),
            ((-100...20, -9...0, -100...20, 0...9), true),
            ((-100...5, -9...0, -101...20, 0...9), false),
        ] as [(Sides, Bool)] {
            #expect(Self.isOutside(asked, sides) == isOutside, "\(sides)")
        }
    }
}
