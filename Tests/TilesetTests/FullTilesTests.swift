import Geometry
import Points
import TestSupport
import Testing

@testable import Tileset

struct FullTilesTests {
    static func table(_ count: Int, using random: inout SeededRandom) -> PointTable {
        var (table, batch) = (PointTable(), PointBatch())
        for index in 0..<count {
            let spread = index % 3 == 0 ? 1 : 0.001
            let point = WorldPoint(
                x: 0.9995 + (random.unit() - 0.5) * spread, y: random.unit() * spread)
            batch.append(index % 40 == 0 ? WorldPoint(x: 1, y: 1) : point.wrapped)
        }
        table.append(batch)
        return table
    }

    @Test(arguments: 0..<4)
    func `full tiles are those that counting one by one finds`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let table = Self.table(400, using: &random)
        let wraps = seed % 2 == 0
        for zoom in [UInt8(0), 3, 9, 10, 14, 20] {
            let limit = Int.random(in: 0...20, using: &random)
            var wanted: [TileID: [UInt32]] = [:]
            for row in 0..<table.count {
                let place = table.position(of: row).inSquare(wraps: wraps)
                wanted[TileID(holding: place, zoom: zoom), default: []].append(UInt32(row))
            }
            wanted = wanted.filter { $0.value.count > limit }
            var full = FullTiles(of: table, at: zoom, limit: limit, wraps: wraps)
            #expect(Set(full.tiles) == Set(wanted.keys))
            #expect(zip(full.tiles, full.counts).allSatisfy { wanted[$0]?.count == $1 })
            #expect(full.rows == wanted.values.flatMap(\.self).sorted())
            let most = wanted.values.map(\.count).max()
            #expect(full.fullest?.count == most)
            #expect(
                full.fullest?.tile == wanted.filter { $0.value.count == most }.keys.min())
            if let tile = full.tiles.last {
                #expect(full.rows(in: tile) == wanted[tile]?.map { Int($0) })
            }
            let deeper = FullTiles(of: table, at: zoom + 3, limit: limit, wraps: wraps)
            full.descend(to: zoom + 1)
            full.descend(to: zoom + 3)
            #expect(Set(full.tiles) == Set(deeper.tiles) && full.rows == deeper.rows)
        }
    }
}
