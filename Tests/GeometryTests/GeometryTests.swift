import Geometry
import TestSupport
import Testing

struct WorldPointTests {
    @Test func `degrees come back from the unit square`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<1_000 {
            let position = LonLat(
                longitude: random.unit() * 360 - 180, latitude: random.unit() * 170 - 85)
            let back = WorldPoint(position).lonLat
            #expect(abs(back.longitude - position.longitude) < 1e-12)
            #expect(abs(back.latitude - position.latitude) < 1e-12)
        }
    }

    @Test func `the poles land on the square's edges`() {
        #expect(WorldPoint(LonLat(longitude: 0, latitude: 90)).y < 1e-15)
        #expect(WorldPoint(LonLat(longitude: 0, latitude: -90)).y > 1 - 1e-15)
        #expect(WorldPoint(LonLat(longitude: 0, latitude: 0)) == WorldPoint(x: 0.5, y: 0.5))
    }

    @Test func `EPSG 3857 metres land where degrees do`() {
        let metres = WorldPoint(webMercatorX: 1_492_000.5, y: 6_894_000.25)
        let degrees = WorldPoint(metres.lonLat)
        #expect(abs(metres.x - degrees.x) < 1e-14 && abs(metres.y - degrees.y) < 1e-14)
        #expect(abs(metres.lonLat.longitude - 13.402_82) < 1e-4)
    }

    @Test func `wrapping brings x home`() {
        #expect(WorldPoint(x: 1.25, y: 0).wrapped.x == 0.25)
        #expect(WorldPoint(x: -0.25, y: 0).wrapped.x == 0.75)
        #expect(WorldPoint(x: 1, y: 0).wrapped.x == 0)
        #expect(WorldPoint(x: -1e-300, y: 0).wrapped.x == 0)
    }
}

struct TileIDTests {
    @Test func `numbers that name no tile give nil`() {
        #expect(TileID(zoom: 1, column: 2, row: 0) == nil)
        #expect(TileID(zoom: 1, column: -1, row: 0) == nil)
        #expect(TileID(zoom: 32, column: 0, row: 0) == nil)
        #expect(TileID(zoom: 3, column: 1, tmsRow: 8) == nil)
        #expect(TileID(zoom: 3, column: 1, tmsRow: 7) == TileID(z: 3, x: 1, y: 0))
    }

    @Test func `TMS rows count from the south`() {
        #expect(TileID(z: 0, x: 0, y: 0).tmsRow == 0)
        #expect(TileID(z: 3, x: 0, y: 0).tmsRow == 7)
        #expect(TileID(z: 31, x: 0, y: 0).tmsRow == (1 << 31) - 1)
    }

    @Test func `the world's far edge belongs to the last tile`() {
        let tile = TileID(holding: WorldPoint(x: 1, y: 1), zoom: 4)
        #expect(tile == TileID(z: 4, x: 15, y: 15))
        #expect(TileID(holding: WorldPoint(x: 0.5, y: 0.25), zoom: 2) == TileID(z: 2, x: 2, y: 1))
    }

    @Test func `a tile's box is where its points are`() {
        let tile = TileID(z: 5, x: 17, y: 10)
        let half = tile.width / 2
        let middle = WorldPoint(x: tile.origin.x + half, y: tile.origin.y + half)
        #expect(tile.box.contains(middle.lonLat))
        #expect(tile.parent == TileID(z: 4, x: 8, y: 5))
    }
}

struct BoxTests {
    @Test func `a box over the antimeridian knows its width, center and contents`() {
        let fiji = LonLatBox(west: 177, south: -20, east: -178, north: -15)
        #expect(fiji.crossesAntimeridian && fiji.width == 5)
        #expect(fiji.center.longitude == 179.5)
        #expect(fiji.contains(LonLat(longitude: 179.9, latitude: -17)))
        #expect(fiji.contains(LonLat(longitude: -179.9, latitude: -17)))
        #expect(!fiji.contains(LonLat(longitude: 0, latitude: -17)))
    }

    @Test func `the narrowest box leaves out the widest gap`() {
        let points = [0.98, 0.01, 0.995].map { WorldPoint(x: $0, y: 0.5) }
        let box = WorldBox(wrapping: points)
        #expect(box.minX == 0.98 && box.maxX == 1.01)
        #expect(box.lonLatBox.crossesAntimeridian)
        let plain = WorldBox(wrapping: [0.2, 0.4].map { WorldPoint(x: $0, y: 0.5) })
        #expect(plain.minX == 0.2 && plain.maxX == 0.4)
    }
}
