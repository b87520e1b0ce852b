import Geometry
import TestSupport
import Testing

struct HilbertTests {
    @Test func `the first ids are those that the PMTiles specification lists`() {
        #expect(TileID(z: 0, x: 0, y: 0).hilbertID == 0)
        #expect(TileID(z: 1, x: 0, y: 0).hilbertID == 1)
        #expect(TileID(z: 1, x: 0, y: 1).hilbertID == 2)
        #expect(TileID(z: 1, x: 1, y: 1).hilbertID == 3)
        #expect(TileID(z: 1, x: 1, y: 0).hilbertID == 4)
        #expect(TileID(z: 2, x: 0, y: 0).hilbertID == 5)
        #expect(TileID(z: 12, x: 3423, y: 1763).hilbertID == 19_078_479)
    }

    @Test(arguments: UInt8(0)...7)
    func `over a whole zoom ids are consecutive neighbours and turn back into tiles`(zoom: UInt8) {
        let first = TileID.firstHilbertID(atZoom: zoom)
        var previous: TileID?
        for id in first..<TileID.firstHilbertID(atZoom: zoom + 1) {
            guard let tile = TileID(hilbertID: id) else {
                Issue.record("no tile for \(id)")
                return
            }
            #expect(tile.z == zoom && tile.hilbertID == id)
            if let previous {
                let step =
                    abs(Int(tile.x) - Int(previous.x)) + abs(Int(tile.y) - Int(previous.y))
                #expect(step == 1)
            }
            previous = tile
        }
    }

    @Test func `deep ids survive the round trip`() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let zoom = UInt8.random(in: 0...31, using: &random)
            let size = UInt64(1) << UInt64(zoom)
            let tile = TileID(
                z: zoom, x: UInt32(random.next() % size), y: UInt32(random.next() % size))
            #expect(TileID(hilbertID: tile.hilbertID) == tile)
        }
        #expect(TileID(hilbertID: .max) == nil)
        // The last of zoom 31, and what would be the first of zoom 32.
        #expect(TileID(hilbertID: .max / 3 - 1)?.z == 31 && TileID(hilbertID: .max / 3) == nil)
    }

    @Test func `a child lies inside its parent's stretch of the curve`() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<500 {
            let x = UInt32(random.next() & 0xFFFF)
            let y = UInt32(random.next() & 0xFFFF)
            let deep = Hilbert.distance(x: x, y: y, order: 16)
            #expect(deep >> 2 == Hilbert.distance(x: x >> 1, y: y >> 1, order: 15))
        }
    }

    /// As sorting and searching suppose.
    @Test func `no tile comes before itself`() {
        let tiles = [TileID(z: 0, x: 0, y: 0), TileID(z: 5, x: 3, y: 9), TileID(z: 12, x: 9, y: 1)]
        for (index, tile) in tiles.enumerated() {
            for (other, second) in tiles.enumerated() {
                #expect((tile < second) == (index < other))
            }
        }
    }
}
