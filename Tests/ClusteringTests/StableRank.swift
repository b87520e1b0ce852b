import Geometry
import Points

/// The order `stable`, computed from its definition: heavier points first, then by a mix of the
/// position, then by id.
struct StableRank: Comparable {
    let weight: Double
    let mix: UInt64
    let position: WorldPoint
    let id: UInt64

    init(_ point: Samples.Point, weighted: Bool) {
        weight = weighted ? point.weight : 1
        position = WorldPoint(x: point.position.x + 0, y: point.position.y + 0)
        mix = Self.mix(position)
        id = point.id
    }

    static func < (first: StableRank, second: StableRank) -> Bool {
        if first.weight != second.weight { return first.weight > second.weight }
        if first.mix != second.mix { return first.mix < second.mix }
        if first.position.x != second.position.x { return first.position.x < second.position.x }
        if first.position.y != second.position.y { return first.position.y < second.position.y }
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
    private static func mix(_ position: WorldPoint) -> UInt64 {
        let second: UInt64 = 0xD6E8_FEB8_6659_FD93
        func folded(_ bits: UInt64) -> UInt64 { bits ^ bits >> 32 }
        let x = folded(position.x.bitPattern &* 0x9E37_79B9_7F4A_7C15)
        return folded(folded((x &+ position.y.bitPattern) &* second) &* second)
    }
}
