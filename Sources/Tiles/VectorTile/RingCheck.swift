/// The rules of polygons (MVT 4.3.4.4).
///
/// Crossings are searched by a sweep from left to right: O(segments · segments that share an x), up to a fixed
/// number of pairs, so that a hostile polygon ends soon. Crossings past that number are not reported.
enum RingCheck {
    /// The most pairs of segments that are compared; a second's work.
    private static let mostPairs = 50_000_000

    static func brokenRules(of rings: [[TilePoint]], version: UInt32) -> [TileRule] {
        var rules: [TileRule] = []
        if rings.contains(where: { $0.count > 1 && $0.first == $0.last }) {
            rules.append(.closedRing)
        }
        let areas = rings.map(doubleArea)
        if areas.contains(0) { rules.append(.zeroAreaRing) }
        // Version 1 does not define the direction of rings.
        if version >= 2 {
            if let first = areas.first(where: { $0 != 0 }), first < 0 {
                rules.append(.interiorRingFirst)
            }
            if hasInteriorOutside(rings, areas) { rules.append(.interiorOutside) }
        }
        if hasCrossing(rings) { rules.append(.crossingRing) }
        return rules
    }

    /// Twice the area of a ring by the surveyor's formula; positive for exterior rings, as y grows downwards.
    static func doubleArea(_ ring: [TilePoint]) -> Int128 {
        var area: Int128 = 0
        var last = ring[ring.count - 1]
        for point in ring {
            area += Int128(last.x) * Int128(point.y) - Int128(point.x) * Int128(last.y)
            last = point
        }
        return area
    }

    private static func hasInteriorOutside(_ rings: [[TilePoint]], _ areas: [Int128]) -> Bool {
        var exterior: [TilePoint]?
        for (ring, area) in zip(rings, areas) {
            if area > 0 {
                exterior = ring
            } else if area < 0, let exterior, !ring.contains(where: { isInside($0, exterior) }) {
                return true
            }
        }
        return false
    }

    /// Whether the position lies within the ring or on it.
    private static func isInside(_ position: TilePoint, _ ring: [TilePoint]) -> Bool {
        var inside = false
        var a = ring[ring.count - 1]
        for b in ring {
            let segment = RingSegment(a, b, ring: 0, number: 0)
            if segment.touches(position) { return true }
            if (a.y > position.y) != (b.y > position.y) {
                inside = inside != ((segment.side(of: position) > 0) == (b.y > a.y))
            }
            a = b
        }
        return inside
    }

    private static func hasCrossing(_ rings: [[TilePoint]]) -> Bool {
        let segments = rings.enumerated().flatMap { RingSegment.segments(of: $1, ring: $0) }
            .sorted { $0.left < $1.left }
        var active: [RingSegment] = []
        var pairs = 0
        for segment in segments {
            active.removeAll { $0.right < segment.left }
            if active.contains(where: { $0.crosses(segment) }) { return true }
            pairs += active.count
            guard pairs < mostPairs else { return false }
            active.append(segment)
        }
        return false
    }
}
