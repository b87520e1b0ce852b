import Geometry
import Points
import TestSupport
import Testing

@testable import Tileset

/// What the zooms of a build look like, counted one by one.
struct OccupancyTests {
    private static func table(_ count: Int, using random: inout SeededRandom) -> PointTable {
        var (table, batch) = (PointTable(), PointBatch())
        var last = WorldPoint(x: 0.5, y: 0.3)
        for index in 0..<count {
            let spread = [1, 0.01, 1e-6][index % 3]
            if index % 5 != 4 {
                last = WorldPoint(
                    x: 0.3 + random.unit() * spread * 0.6, y: 0.6 + random.unit() * spread * 0.4)
            }
            batch.append(last)
        }
        table.append(batch)
        return table
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `tiles, fullest tiles and markers are those of the points`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let tables = [120, 1, 80].map { Self.table($0, using: &random) }
        let occupancy = Occupancy(of: tables, threads: 2)
        let points = tables.flatMap { table in (0..<table.count).map(table.position) }
        func cells(_ zoom: UInt8) -> [Int] {
            // Positions are rounded to 2^-32 of the world first.
            let places = points.map { (TileGrid.fixed($0.x), TileGrid.fixed($0.y)) }
            let tiles = places.map {
                [UInt64($0) >> UInt64(32 - zoom), UInt64($1) >> UInt64(32 - zoom)]
            }
            return Dictionary(grouping: tiles, by: \.self).values.map(\.count)
        }
        #expect(occupancy.pointCount == points.count)
        #expect(occupancy.positionCount == cells(24).count)
        for zoom in UInt8(0)...24 {
            let counts = cells(zoom)
            let tiles = occupancy.tiles(at: zoom)
            #expect(
                tiles.cells == counts.count && tiles.densest == counts.max() ?? 0, "zoom \(zoom)")
            // A marker is a sixteenth of a tile wide.
            let around = cells(min(zoom + 4, 24))
            let markers = occupancy.markers(at: zoom)
            #expect(markers.cells == around.count && markers.alone == around.count { $0 == 1 })
        }
        let latitudes = points.map { abs($0.lonLat.latitude) }
        #expect(abs(occupancy.nearestToEquator - (latitudes.min() ?? 0)) < 1e-9)
    }

    @Test func `how far from the equator the nearest point lies, on either side of it`() {
        #expect(Occupancy.leastOffEquator(of: PointTable()) == 0.5)
        for (ys, expected) in [([0.2, 0.45, 0.9], 0.05), ([0.1, 0.53, 0.2], 0.03)] {
            var (table, batch) = (PointTable(), PointBatch())
            for y in ys { batch.append(WorldPoint(x: 0.1, y: y)) }
            table.append(batch)
            #expect(abs(Occupancy.leastOffEquator(of: table) - expected) < 1e-12)
            let latitude = WorldPoint(x: 0, y: 0.5 - expected).lonLat.latitude
            #expect(abs(Occupancy.latitudeNearestToEquator(of: [table]) - latitude) < 1e-9)
            #expect(abs(Occupancy.latitude(offEquator: expected) - latitude) < 1e-9)
        }
    }
}
