import ArchiveContract
import Foundation
import Geometry
import TestSupport
import Testing
import TileArchive

@testable import Inspection

/// At how many zooms a tile stands for others, against a look at all tiles.
struct CoveredZoomsTests {
    /// An archive of these tiles that says how many zooms may be left out.
    private static func archive(_ tiles: Set<TileID>, depth: Int, maxZoom: UInt8) throws -> Archive
    {
        let path = FileManager.default.temporaryDirectory.path + "/covey-\(UUID()).mbtiles"
        let writer = try MBTilesWriter(to: path)
        for tile in tiles.sorted() { try writer.write(tile, gzip: ([1] as [UInt8]).span) }
        var metadata = ArchiveMetadata(name: "a")
        (metadata.minZoom, metadata.maxZoom) = (0, maxZoom)
        var account = ClusterDescription(layers: [], buffer: 8, ids: .placed)
        account.variableDepth = depth
        metadata.covey = account.json
        try writer.finish(metadata)
        return try Archive(path: path)
    }

    @Test(arguments: UInt64(0)..<12)
    func `a tile stands for the zooms at which nothing lies below it`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (depth, maxZoom) = (Int(seed % 4), UInt8(4 + seed % 3))
        var tiles: Set<TileID> = []
        for zoom in UInt8(0)...6 {
            let width = UInt64(1) << UInt64(zoom)
            for _ in 0..<6 {
                let (x, y) = (UInt32(random.next() % width), UInt32(random.next() % width))
                tiles.insert(TileID(z: zoom, x: x, y: y))
            }
        }
        let archive = try Self.archive(tiles, depth: depth, maxZoom: maxZoom)
        defer { try? FileManager.default.removeItem(atPath: archive.path) }
        let description = try #require(archive.description).get()
        let covered = try CoveredZooms(archive, CoveyFacts(description))
        #expect((covered == nil) == (depth == 0))
        for tile in tiles {
            func isFree(_ zoom: Int) -> Bool {
                let shift = UInt32(zoom - Int(tile.z))
                return !tiles.contains {
                    Int($0.z) == zoom && $0.x >> shift == tile.x && $0.y >> shift == tile.y
                }
            }
            let below = (Int(tile.z) + 1...Int(tile.z) + 4).prefix(depth).filter { $0 <= maxZoom }
            let free = below.prefix(while: isFree)
            let wanted = free.last.map { Int(tile.z) + 1...$0 }
            #expect(covered?.zooms(below: tile) == wanted, "\(tile)")
        }
    }
}
