import Basics
import Foundation
import Geometry
import Points

/// Points in towns of power-law size with log-normal spread, on a thin background.
enum SkewedPoints {
    /// Makes a number of points; the same number gives the same points.
    static func make(_ count: Int, seed: UInt64 = 7) -> PointTable {
        var random = SplitMix(state: seed)
        let towns = makeTowns(using: &random)
        let shares = (1...towns.count).map { 1 / pow(Double($0), 0.9) }
        var ends: [Double] = []
        for share in shares { ends.append((ends.last ?? 0) + share) }
        return table(
            (0..<count).lazy.map { _ -> (place: WorldPoint, value: Double) in
                let pick = random.unit() * (ends.last ?? 1)
                let town = towns[
                    min(ends.indices.partitionPoint { ends[$0] >= pick }, towns.count - 1)]
                var place = LonLat(
                    longitude: town.place.longitude + random.normal() * town.spread,
                    latitude: town.place.latitude + random.normal() * town.spread * 0.8)
                if random.unit() < 0.05 {
                    place.longitude = random.unit() * 360 - 180
                    place.latitude = random.unit() * 160 - 80
                }
                let value = (exp(3 + 1.2 * random.normal()) * 100).rounded() / 100
                return (WorldPoint(place).wrapped, value)
            })
    }

    /// A table of points with a value each.
    static func table(_ points: some Sequence<(place: WorldPoint, value: Double)>) -> PointTable {
        var table = PointTable()
        let key = table.attributes.keys.intern("value")
        var batch = PointBatch()
        for (place, value) in points {
            batch.records.append(key, number: value)
            batch.append(place)
        }
        table.append(batch)
        return table
    }

    private struct Town {
        var place: LonLat
        var spread: Double
    }

    private static func makeTowns(using random: inout SplitMix) -> [Town] {
        (0..<20_000).map { _ in
            let latitude = asin(random.unit() * 1.67 - 0.75) * 180 / .pi
            return Town(
                place: LonLat(longitude: random.unit() * 350 - 175, latitude: latitude),
                spread: exp(-3.2 + 0.9 * random.normal()))
        }
    }
}
