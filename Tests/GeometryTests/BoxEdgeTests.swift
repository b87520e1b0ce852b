import Geometry
import TestSupport
import Testing

/// Boxes at their edges: what lies exactly on one, what is as wide as the world, what holds nothing.
struct BoxEdgeTests {
    static let plain = LonLatBox(west: -10, south: -20, east: 30, north: 40)
    static let across = LonLatBox(west: 170, south: -20, east: -160, north: 40)

    @Test(arguments: [plain, across])
    func `a box holds its edges and nothing beyond them`(box: LonLatBox) {
        let (middle, level) = (box.center.longitude, box.center.latitude)
        for longitude in [box.west, middle, box.east] {
            for latitude in [box.south, level, box.north] {
                #expect(box.contains(LonLat(longitude: longitude, latitude: latitude)))
            }
            #expect(!box.contains(LonLat(longitude: longitude, latitude: box.south - 0.001)))
            #expect(!box.contains(LonLat(longitude: longitude, latitude: box.north + 0.001)))
        }
        #expect(!box.contains(LonLat(longitude: box.west - 0.001, latitude: level)))
        #expect(!box.contains(LonLat(longitude: box.east + 0.001, latitude: level)))
    }

    @Test func `the center of a box lies in its middle, on this side of the antimeridian`() {
        #expect(Self.plain.center == LonLat(longitude: 10, latitude: 10))
        #expect(Self.across.center == LonLat(longitude: -175, latitude: 10))
        #expect(Self.plain.width == 40 && Self.across.width == 30)
        let half = LonLatBox(west: 90, south: 0, east: -90, north: 0)
        #expect(half.center.longitude == 180)
        #expect(!LonLatBox(west: 5, south: 0, east: 5, north: 0).crossesAntimeridian)
    }

    @Test func `a box as wide as the world is the world, a narrower one is not`() {
        let whole = WorldBox(minX: 0.25, minY: 0.25, maxX: 1.25, maxY: 0.75).lonLatBox
        #expect(whole.west == -180 && whole.east == 180 && whole.south == -whole.north)
        #expect(whole.north > 66 && whole.north < 67)
        let most = WorldBox(minX: 0.25, minY: 0.25, maxX: 1.125, maxY: 0.5).lonLatBox
        #expect(most.west == -90 && most.east == -135 && most.south == 0)
        let edge = WorldBox(minX: 0.5, minY: 0.5, maxX: 1, maxY: 0.5).lonLatBox
        #expect(edge.west == 0 && edge.east == 180)
    }

    @Test func `a tile's box has its north in the north`() {
        let box = TileID(z: 1, x: 1, y: 0).box
        #expect(box.west == 0 && box.east == 180 && box.south == 0 && box.north > 85)
        #expect(TileID(z: 2, x: 3, y: 1).width == 0.25)
        #expect(TileID(z: 2, x: 3, y: 1).origin == WorldPoint(x: 0.75, y: 0.25))
        #expect(TileID(z: 0, x: 0, y: 0).parent == nil)
    }

    @Test func `around nothing the box is empty, around one point it is that point`() {
        #expect(WorldBox(wrapping: [WorldPoint]()).isEmpty)
        #expect(WorldBox(wrapping: [WorldBox]()).isEmpty && WorldBox(around: []).isEmpty)
        #expect(WorldBox(wrapping: [WorldBox.empty, .empty]).isEmpty)
        let point = WorldPoint(x: 0.75, y: 0.25)
        let single = WorldBox(minX: 0.75, minY: 0.25, maxX: 0.75, maxY: 0.25)
        #expect(WorldBox(wrapping: [point]) == single && WorldBox(around: [point]) == single)
        #expect(!single.isEmpty)
        var box = single
        box.include(WorldBox.empty)
        #expect(box == single)
        box = .empty
        box.include(single)
        #expect(box == single)
    }

    @Test func `bounds that ask for the world end where the map does`() {
        let world = LonLatBox(requesting: WorldBox(minX: 0, minY: 0, maxX: 1, maxY: 1))
        #expect(world.west == -180 && world.east == 180)
        #expect(world.north == 85.051128 && world.south == -85.051128)
        let point = LonLatBox(requesting: WorldBox(minX: 0.5, minY: 0.5, maxX: 0.5, maxY: 0.5))
        #expect(point.west < 0 && point.south < 0 && point.east > 0 && point.north > 0)
        #expect(point.west >= -2e-6 && point.south >= -2e-6)
        #expect(point.east <= 2e-6 && point.north <= 2e-6)
    }

    @Test func `a box around points does not wrap unless it is asked to`() {
        let points = [0.99, 0.01].map { WorldPoint(x: $0, y: $0) }
        #expect(
            WorldBox(around: points) == WorldBox(minX: 0.01, minY: 0.01, maxX: 0.99, maxY: 0.99))
        #expect(
            WorldBox(wrapping: points) == WorldBox(minX: 0.99, minY: 0.01, maxX: 1.01, maxY: 0.99))
    }

    @Test func `boxes are wrapped as their widest common gap says`() {
        var random = SeededRandom(seed: 12)
        for _ in 0..<500 {
            // On a grid of 64 columns, so that each column is covered or not.
            let boxes = (0..<Int.random(in: 1...4, using: &random)).map { _ -> WorldBox in
                let start = Int.random(in: 0...60, using: &random)
                let end = min(64, start + Int.random(in: 0...12, using: &random))
                let y = Double(Int.random(in: 0...8, using: &random)) / 8
                return WorldBox(
                    minX: Double(start) / 64, minY: y, maxX: Double(end) / 64, maxY: y)
            }
            let box = WorldBox(wrapping: boxes)
            #expect(box.minY == boxes.map(\.minY).min() && box.maxY == boxes.map(\.maxY).max())
            #expect(box.minX >= 0 && box.minX < 1)
            // Each box lies inside, here or a world further east.
            for other in boxes {
                let isHere = other.minX >= box.minX && other.maxX <= box.maxX
                let isEast = other.minX + 1 >= box.minX && other.maxX + 1 <= box.maxX
                #expect(isHere || isEast)
            }
            // It begins where a box begins; those that begin further west lie a world further east.
            let widths = boxes.map { first in
                boxes.map { $0.maxX + ($0.minX < first.minX ? 1 : 0) - first.minX }.max() ?? 0
            }
            #expect(box.maxX - box.minX == widths.min())
        }
    }
}
