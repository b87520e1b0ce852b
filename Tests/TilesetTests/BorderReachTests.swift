import Recipes
import Testing

@testable import Tileset

/// How far beyond a cell its nodes are of interest.
struct BorderReachTests {
    @Test(arguments: [(8.0, 12), (0, 12), (64, 9), (8, 16)] as [(Double, UInt8)])
    func `a node reaches as far as the margin of a tile and four units, at its first zoom`(
        buffer: Double, bits: UInt8
    ) {
        var tiles = TileOptions()
        (tiles.buffer, tiles.extentBits) = (buffer, bits)
        var expected = buffer / 512 + 4 / Double(1 << Int(bits))
        for zoom in 0...12 {
            #expect(abs(BorderReach.reach(tiles, from: zoom) / expected - 1) < 1e-12, "\(zoom)")
            expected /= 2
        }
    }
}
