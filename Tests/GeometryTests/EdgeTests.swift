import Geometry
import Testing

/// Numbers that stand in the definitions, and what lies exactly on an edge.
struct GeometryEdgeTests {
    @Test func `degrees are projected as Web Mercator does`() {
        let berlin = WorldPoint(LonLat(longitude: 13.4, latitude: 52.52))
        #expect(abs(berlin.x - 0.537_222_222_222_222_2) < 1e-15)
        #expect(abs(berlin.y - 0.3279551608081158) < 1e-14)
        #expect(WorldPoint(LonLat(longitude: -180, latitude: 0)).x == 0)
        #expect(WorldPoint(LonLat(longitude: 180, latitude: 0)).x == 1)
        let quarter = WorldPoint(x: 0.25, y: 0.5).lonLat
        #expect(quarter.longitude == -90 && quarter.latitude == 0)
        let top = WorldPoint(x: 0, y: 0).lonLat.latitude
        #expect(abs(top - WorldPoint.maximumLatitude) < 1e-12)
    }

    @Test func `metres of Web Mercator stay in the square from north to south`() {
        let edge = 20_037_508.342_789_244
        #expect(WorldPoint(webMercatorX: edge, y: 0) == WorldPoint(x: 1, y: 0.5))
        #expect(WorldPoint(webMercatorX: -edge, y: edge) == WorldPoint(x: 0, y: 0))
        #expect(WorldPoint(webMercatorX: 0, y: -2 * edge) == WorldPoint(x: 0.5, y: 1))
        #expect(WorldPoint(webMercatorX: 0, y: 2 * edge).y == 0)
    }

    @Test func `distance is the root of two squares`() {
        #expect(WorldPoint(x: 1, y: 2).squaredDistance(to: WorldPoint(x: 4, y: 6)) == 25)
        #expect(WorldPoint(x: 4, y: 6).squaredDistance(to: WorldPoint(x: 1, y: 2)) == 25)
    }

    @Test(arguments: [(0.0, 0.0), (0.5, 0.5), (1 - 0x1p-53, 1 - 0x1p-53), (-1.0, 0.0), (2.5, 0.5)])
    func `wrapping keeps what is home and leaves y alone`(x: Double, home: Double) {
        #expect(WorldPoint(x: x, y: 0.3).wrapped == WorldPoint(x: home, y: 0.3))
    }

    @Test func `a box holds its edges and nothing beyond`() {
        let box = LonLatBox(west: 10, south: -5, east: 30, north: 15)
        #expect(!box.crossesAntimeridian && box.width == 20)
        #expect(box.center == LonLat(longitude: 20, latitude: 5))
        for (longitude, latitude, isInside) in [
            (10.0, 0.0, true), (30, 0, true), (20, -5, true), (20, 15, true), (9.99, 0, false),
            (30.01, 0, false), (20, -5.01, false), (20, 15.01, false),
        ] {
            #expect(
                box.contains(LonLat(longitude: longitude, latitude: latitude)) == isInside)
        }
        let across = LonLatBox(west: 170, south: 0, east: -160, north: 10)
        #expect(across.width == 30 && across.center == LonLat(longitude: -175, latitude: 5))
        for (longitude, isInside) in [
            (170.0, true), (180, true), (-180, true), (-160, true), (169.9, false),
            (-159.9, false),
        ] {
            #expect(across.contains(LonLat(longitude: longitude, latitude: 5)) == isInside)
        }
        #expect(!across.contains(LonLat(longitude: 175, latitude: 11)))
        #expect(!LonLatBox(west: 1, south: 0, east: 1, north: 0).crossesAntimeridian)
        #expect(LonLatBox.world.width == 360 && LonLatBox.world.center.longitude == 0)
    }

    @Test func `a box grows around points, and one of nothing is empty`() {
        var box = WorldBox.empty
        #expect(box.isEmpty)
        box.include(WorldPoint(x: 0.4, y: 0.6))
        #expect(!box.isEmpty && box == WorldBox(minX: 0.4, minY: 0.6, maxX: 0.4, maxY: 0.6))
        box.include(WorldPoint(x: 0.2, y: 0.7))
        box.include(WorldPoint(x: 0.5, y: 0.1))
        #expect(box == WorldBox(minX: 0.2, minY: 0.1, maxX: 0.5, maxY: 0.7))
        #expect(
            WorldBox(around: [WorldPoint(x: 0.9, y: 0.2), WorldPoint(x: 0.1, y: 0.3)])
                == WorldBox(minX: 0.1, minY: 0.2, maxX: 0.9, maxY: 0.3))
        #expect(WorldBox(wrapping: [WorldPoint]()).isEmpty)
    }

    @Test func `boxes that wrap leave out the widest gap between them`() {
        func wrapping(_ spans: [(Double, Double)]) -> WorldBox {
            WorldBox(
                wrapping: spans.map { WorldBox(minX: $0.0, minY: 0.1, maxX: $0.1, maxY: 0.2) })
        }
        #expect(wrapping([(0.1, 0.2), (0.3, 0.4)]).minX == 0.1)
        let across = wrapping([(0.9, 0.95), (0.02, 0.1), (0.03, 0.04)])
        #expect(across.minX == 0.9 && across.maxX == 1.1)
        #expect(across.minY == 0.1 && across.maxY == 0.2)
        // A short box within a long one ends no gap.
        let nested = wrapping([(0.1, 0.8), (0.2, 0.3), (0.85, 0.9)])
        #expect(nested.minX == 0.1 && nested.maxX == 0.9)
        #expect(wrapping([]).isEmpty)
        let two = WorldBox(
            wrapping: [.empty, WorldBox(minX: 0.5, minY: 0.5, maxX: 0.6, maxY: 0.9)])
        #expect(two == WorldBox(minX: 0.5, minY: 0.5, maxX: 0.6, maxY: 0.9))
    }

    @Test func `a box in degrees says east and west as maps do`() {
        let box = WorldBox(minX: 0.25, minY: 0.5, maxX: 0.75, maxY: 1).lonLatBox
        #expect(box.west == -90 && box.east == 90 && box.north == 0 && box.south < -85)
        let across = WorldBox(minX: 0.75, minY: 0.5, maxX: 1.25, maxY: 0.5).lonLatBox
        #expect(across.west == 90 && across.east == -90)
        let all = WorldBox(minX: 0.5, minY: 0.5, maxX: 1.5, maxY: 0.5).lonLatBox
        #expect(all.west == -180 && all.east == 180)
        #expect(WorldBox(minX: 0, minY: 0, maxX: 0.999, maxY: 1).lonLatBox.west == -180)
    }

    @Test func `tiles exist from 0 to the side of their zoom`() {
        for zoom in [0, 1, 5, 31] {
            let last = 1 << zoom - 1
            #expect(TileID(zoom: zoom, column: last, row: last)?.x == UInt32(last))
            #expect(TileID(zoom: zoom, column: last + 1, row: 0) == nil)
            #expect(TileID(zoom: zoom, column: 0, row: last + 1) == nil)
            #expect(TileID(zoom: zoom, column: 0, row: -1) == nil)
            #expect(TileID(zoom: zoom, column: -1, row: 0) == nil)
            #expect(TileID(zoom: zoom, column: 0, tmsRow: -1) == nil)
            #expect(TileID(zoom: zoom, column: 0, tmsRow: last)?.y == 0)
            #expect(TileID(zoom: zoom, column: 0, tmsRow: 0)?.y == UInt32(last))
        }
        #expect(TileID(zoom: -1, column: 0, row: 0) == nil)
        #expect(TileID(zoom: -1, column: 0, tmsRow: 0) == nil)
        #expect(TileID(z: 0, x: 0, y: 0).parent == nil)
        #expect(TileID(z: 1, x: 1, y: 0).parent == TileID(z: 0, x: 0, y: 0))
        #expect(TileID(z: 3, x: 5, y: 2).description == "3/5/2")
    }

    @Test func `a tile knows its corner, its width and its box`() {
        let tile = TileID(z: 2, x: 3, y: 1)
        #expect(tile.width == 0.25 && tile.origin == WorldPoint(x: 0.75, y: 0.25))
        let box = TileID(z: 1, x: 1, y: 0).box
        #expect(box.west == 0 && box.south == 0 && box.east == 180)
        #expect(abs(box.north - WorldPoint.maximumLatitude) < 1e-12)
        #expect(TileID(holding: WorldPoint(x: -0.1, y: 1.1), zoom: 2) == TileID(z: 2, x: 0, y: 3))
        #expect(
            TileID(holding: WorldPoint(x: 0.75, y: 0.749_999), zoom: 2)
                == TileID(z: 2, x: 3, y: 2))
    }

    @Test func `shallow tiles come first, then the Hilbert curve decides`() {
        let places: [(UInt8, UInt32, UInt32)] = [
            (0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0), (2, 0, 0),
        ]
        let tiles = places.map { TileID(z: $0, x: $1, y: $2) }
        #expect(tiles.shuffled().sorted() == tiles)
    }
}
