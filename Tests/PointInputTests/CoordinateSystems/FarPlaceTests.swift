import TestSupport
import Testing

@testable import PointInput
@testable import Projections

/// Places that no system is used for, held against a walk around the world.
struct FarPlaceTests {
    @Test(arguments: 0..<6)
    func `a place is far where it lies two widths and a half, or ten degrees, outside`(seed: UInt64)
    {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let west = Double(random.next() % 360) - 180
            let width = [1.0, 4, 6, 30, 59, 60, 61, 200][Int(random.next() % 8)]
            var east = west + width
            if east > 180 { east -= 360 }
            let area = Projection.Area(west: west, south: -20, east: east, north: 40, name: "")
            let longitude = random.unit() * 360 - 180
            let margin = max(2.5 * width, 10)
            // From the west side on, in whole turns.
            let isBeside = ![-720.0, -360, 0, 360, 720].contains { turn in
                (west - margin...west + width + margin).contains(longitude + turn)
            }
            #expect(area.isFar(longitude, 10) == isBeside, "\(area) \(longitude)")
        }
    }

    @Test func `a place is far ten degrees north or south of it`() {
        let area = Projection.Area(west: -180, south: -20, east: 180, north: 40, name: "")
        for (latitude, isFar) in [
            (-30.0, false), (-30.1, true), (50, false), (50.1, true), (0, false),
        ] {
            #expect(area.isFar(7, latitude) == isFar)
        }
    }

    @Test func `rings with a vertex that is nowhere are none`() {
        for (x, y, isThere) in [
            (1.0, 1.0, true), (.infinity, 1, false), (1, .infinity, false), (1, -.infinity, false),
            (.nan, 1, false), (1, .nan, false),
        ] {
            var outline = Outline()
            outline.begin(.ring)
            outline.add(0, 0)
            outline.add(4, 0)
            outline.add(x, y)
            outline.add(0, 0)
            let rings = outline.positions(.outline)
            #expect(rings == (isThere ? [.infinity, .infinity, 0, 0, 4, 0, x, y, 0, 0] : []))
        }
    }
}
