import Geometry
import TestSupport
import Testing

/// Bounds by which a client asks for every tile that holds something.
struct RequestedBoxTests {
    /// As MapLibre counts the tiles of bounds: from floor(least) to ceil(most) − 1.
    private static func asked(_ least: Double, _ most: Double, _ tiles: Double) -> ClosedRange<Int>
    {
        let first = Int((least * tiles).rounded(.down))
        return first...max(first, Int((most * tiles).rounded(.up)) - 1)
    }

    @Test(arguments: 0..<6)
    func `every tile that owns a corner is asked for, and hardly any other`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for number in 0..<150 {
            // Corners of units, which lie on the edges of tiles as often as not.
            func coordinate() -> Double {
                let zoom = [4.0, 12, 20][Int(random.next() % 3)]
                let side = 1 / Double(1 << Int(zoom))
                return number % 3 == 0
                    ? random.unit() : (random.unit() / side).rounded(.down) * side
            }
            let (xs, ys) = (
                [coordinate(), coordinate()].sorted(), [coordinate(), coordinate()].sorted()
            )
            let box = WorldBox(minX: xs[0], minY: ys[0], maxX: xs[1], maxY: ys[1])
            let bounds = LonLatBox(requesting: box)
            let northWest = WorldPoint(LonLat(longitude: bounds.west, latitude: bounds.north))
            let southEast = WorldPoint(LonLat(longitude: bounds.east, latitude: bounds.south))
            for zoom in [0, 4, 8, 12] {
                let tiles = Double(1 << zoom)
                let columns = Self.asked(northWest.x, southEast.x, tiles)
                let rows = Self.asked(northWest.y, southEast.y, tiles)
                for x in xs { #expect(columns.contains(min(Int(x * tiles), 1 << zoom - 1))) }
                for y in ys { #expect(rows.contains(min(Int(y * tiles), 1 << zoom - 1))) }
            }
            // They go on by one or two millionths of a degree.
            let own = box.lonLatBox
            for beyond in [
                own.west - bounds.west, bounds.east - own.east, own.south - bounds.south,
                bounds.north - own.north,
            ] {
                #expect(beyond < 2.001e-6)
            }
            #expect(own.west - bounds.west > 0.999e-6 || bounds.west == -180)
            #expect(bounds.east - own.east > 0.999e-6 || bounds.east == 180)
        }
    }

    @Test func `the world's bounds end where metadata have its end`() {
        let world = LonLatBox(requesting: WorldBox(minX: 0, minY: 0, maxX: 1, maxY: 1))
        #expect(world.west == -180 && world.east == 180)
        #expect(world.north == LonLatBox.requestedEnd && world.south == -LonLatBox.requestedEnd)
        #expect(
            LonLatBox.requestedEnd == 85.051128 && LonLatBox.requestedEnd <= LonLatBox.world.north)
    }

    @Test func `the nearest position in a box is itself where it lies inside`() {
        let box = LonLatBox(west: -10, south: -20, east: 30, north: 40)
        for (longitude, latitude, x, y) in [
            (0, 0, 0, 0), (-11, 0, -10, 0), (31, 41, 30, 40), (-10, -20, -10, -20),
            (5, -90, 5, -20),
            (180, 90, 30, 40),
        ] as [(Double, Double, Double, Double)] {
            let nearest = box.nearest(to: LonLat(longitude: longitude, latitude: latitude))
            #expect(nearest == LonLat(longitude: x, latitude: y))
        }
    }
}
