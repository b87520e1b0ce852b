import Geometry
import Points

/// The order `stable`, computed from its definition: heavier points first, then by a mix of the
/// place, then by id.
struct StableRank: Comparable {
    let weight: Double
    let mix: UInt64
    let place: WorldPoint
    let id: UInt64

    init(_ point: Samples.Point, weighted: Bool) {
        weight = weighted ? point.weight : 1
        place = WorldPoint(x: point.place.x + 0, y: point.place.y + 0)
        mix = Self.mix(place)
        id = point.id
    }

    static func < (first: StableRank, second: StableRank) -> Bool {
        if first.weight != second.weight { return first.weight > second.weight }
        if first.mix != second.mix { return first.mix < second.mix }
        if first.place.x != second.place.x { return first.place.x < second.place.x }
        if first.place.y != second.place.y { return first.place.y < second.place.y }
        return first.id < second.id
    }

    /// The numbers of the points in the order in which they are visited.
    static func order(of points: [Samples.Point], weighted: Bool) -> [Int] {
        points.indices.sorted {
            StableRank(points[$0], weighted: weighted) < StableRank(points[$1], weighted: weighted)
        }
    }

    /// Both coordinates' bits, each multiplied by an odd number and folded onto itself. Archives
    /// that were made before depend on it.
    private static func mix(_ place: WorldPoint) -> UInt64 {
        let second: UInt64 = 0xD6E8_FEB8_6659_FD93
        func folded(_ bits: UInt64) -> UInt64 { bits ^ bits >> 32 }
        let x = folded(place.x.bitPattern &* 0x9E37_79B9_7F4A_7C15)
        return folded(folded((x &+ place.y.bitPattern) &* second) &* second)
    }
}
