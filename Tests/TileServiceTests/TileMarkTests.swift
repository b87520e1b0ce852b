import Geometry
import TestSupport
import TileArchive
import Testing

@testable import TileService

/// Which tiles differ between two states of an archive, against a look at all of both.
struct TileMarkTests {
    private typealias Tiles = [TileID: [UInt8]]

    private static func tiles(using random: inout SeededRandom) -> Tiles {
        var tiles: Tiles = [:]
        for zoom in 0...2 {
            for x in 0..<1 << zoom {
                for y in 0..<1 << zoom where random.next() % 2 == 0 {
                    tiles[TileID(z: UInt8(zoom), x: UInt32(x), y: UInt32(y))] = [
                        UInt8(random.next() % 3)
                    ]
                }
            }
        }
        return tiles
    }

    private static func marks(_ tiles: Tiles, _ name: String, in folder: SampleFolder) throws
        -> TileMarks
    {
        try folder.writeForeign(
            name, metadata: ["name": "a", "format": "pbf", "minzoom": "0", "maxzoom": "2"],
            tiles: tiles.map { tile, bytes in
                (Int(tile.z), Int(tile.x), (1 << Int(tile.z)) - 1 - Int(tile.y), bytes)
            })
        return try #require(try TileMarks(of: Archive(path: folder.file(name)), upTo: 100))
    }

    @Test func `a tile differs that is another one, new or gone`() throws {
        let folder = try SampleFolder()
        var random = SeededRandom(seed: 800)
        for round in 0..<2 {
            let before = Self.tiles(using: &random)
            var after = before
            for (tile, _) in before where random.next() % 4 == 0 { after[tile] = nil }
            for (tile, bytes) in Self.tiles(using: &random) where random.next() % 4 == 0 {
                after[tile] = bytes
            }
            let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            let (old, new) = (
                try Self.marks(before, "\(round)-old.mbtiles", in: folder),
                try Self.marks(after, "\(round)-new.mbtiles", in: folder)
            )
            #expect(old.count == before.count && new.count == after.count)
            for (from, to) in [(old, new), (new, old)] {
                let found = try #require(from.differences(from: to, upTo: changed.count))
                #expect(Set(found) == changed && found.count == changed.count)
                #expect(from.differences(from: to, upTo: changed.count - 1) == nil)
                #expect(from.differences(from: from, upTo: 0) == [])
            }
        }
    }
}
