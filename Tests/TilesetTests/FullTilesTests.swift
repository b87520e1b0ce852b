import Geometry
import Points
import Recipes
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

    /// Some points with texts of some bytes, for which tiles weigh more.
    static func weighed(_ count: Int, using random: inout SeededRandom) -> PointTable {
        let places = table(count, using: &random)
        var (table, batch) = (PointTable(), PointBatch())
        let key = table.attributes.keys.intern("text")
        for row in 0..<count {
            if row % 5 == 0 {
                batch.records.append(key, .string(String(repeating: "x", count: row % 90)))
            }
            batch.append(places.position(of: row))
        }
        table.append(batch)
        return table
    }

    @Test(arguments: 0..<6)
    func `full tiles are those that weighing one by one finds`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let table = Self.weighed(400, using: &random)
        let wraps = seed % 2 == 0
        for zoom in [UInt8(0), 3, 9, 10, 14, 20] {
            var tiles = TileOptions()
            tiles.maxBytes = Int.random(in: 1...900, using: &random)
            tiles.maxFeatures = seed % 3 == 0 ? nil : Int.random(in: 1...20, using: &random)
            let limit = WeightLimit(tiles)
            var wanted: [TileID: [UInt32]] = [:]
            for row in 0..<table.count {
                let place = table.position(of: row).inSquare(wraps: wraps)
                wanted[TileID(holding: place, zoom: zoom), default: []].append(UInt32(row))
            }
            let crowds = wanted.filter { $0.value.count > tiles.maxFeatures ?? .max }
            let weights = wanted.mapValues { rows in
                rows.reduce(0) {
                    $0 + limit.weight(ofRecord: table.attributes[Int($1)].bytes.count)
                }
            }
            wanted = wanted.filter { weights[$0.key] ?? 0 > tiles.maxBytes }
            #expect(crowds.keys.allSatisfy { wanted[$0] != nil })
            var full = FullTiles(of: table, at: zoom, limit, wraps: wraps)
            #expect(Set(full.tiles) == Set(wanted.keys))
            #expect(zip(full.tiles, full.weights).allSatisfy { weights[$0] == $1 })
            #expect(full.rows == wanted.values.flatMap(\.self).sorted())
            #expect(
                zip(full.tiles, full.rowsOfTiles).allSatisfy { tile, rows in
                    wanted[tile]?.map { Int($0) } == rows
                })
            let deeper = FullTiles(of: table, at: zoom + 3, limit, wraps: wraps)
            full.descend(to: zoom + 1)
            full.descend(to: zoom + 3)
            #expect(Set(full.tiles) == Set(deeper.tiles) && full.rows == deeper.rows)
            try Self.checkKeeping(full)
        }
    }

    /// Of some tiles every other one.
    private static func checkKeeping(_ full: FullTiles) throws {
        var kept = full
        kept.keep(where: full.tiles.indices.map { $0 % 2 == 0 })
        let wanted = full.tiles.indices.filter { $0 % 2 == 0 }
        #expect(kept.tiles == wanted.map { full.tiles[$0] })
        #expect(kept.weights == wanted.map { full.weights[$0] })
        #expect(kept.rowsOfTiles == wanted.map { full.rowsOfTiles[$0] })
        #expect(kept.rows.map { Int($0) } == kept.rowsOfTiles.flatMap(\.self).sorted())
    }
}
