/// A side of a ring.
struct RingSegment {
    let a: TilePoint
    let b: TilePoint
    let ring: Int
    let number: Int
    /// Whether the side after this one is the ring's first.
    var isLast = false

    init(_ a: TilePoint, _ b: TilePoint, ring: Int, number: Int) {
        self.a = a
        self.b = b
        self.ring = ring
        self.number = number
    }

    /// The sides of a ring that have a length.
    static func segments(of ring: [TilePoint], ring index: Int) -> [RingSegment] {
        var segments: [RingSegment] = []
        for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) where a != b {
            segments.append(RingSegment(a, b, ring: index, number: segments.count))
        }
        if !segments.isEmpty { segments[segments.count - 1].isLast = true }
        return segments
    }

    var left: Int32 { min(a.x, b.x) }
    var right: Int32 { max(a.x, b.x) }

    /// On which side of the line through `a` and `b` the position lies; 0 is on it.
    func side(of position: TilePoint) -> Int {
        let area =
            (Int128(b.x) - Int128(a.x)) * (Int128(position.y) - Int128(a.y))
            - (Int128(position.x) - Int128(a.x)) * (Int128(b.y) - Int128(a.y))
        return Int(area.signum())
    }

    func touches(_ position: TilePoint) -> Bool {
        side(of: position) == 0 && position.x >= left && position.x <= right
            && position.y >= min(a.y, b.y) && position.y <= max(a.y, b.y)
    }

    /// Whether two sides meet where they must not. Sides of one ring may meet only at the corner that neighbours
    /// share, sides of different rings only at single positions.
    func crosses(_ other: RingSegment) -> Bool {
        if ring == other.ring {
            if number + 1 == other.number || isLast && other.number == 0 { return folds(other) }
            if other.number + 1 == number || other.isLast && number == 0 {
                return other.folds(self)
            }
            if touches(other.a) || touches(other.b) || other.touches(a) || other.touches(b) {
                return true
            }
        }
        return side(of: other.a) * side(of: other.b) < 0
            && other.side(of: a) * other.side(of: b) < 0
    }

    /// Whether the next side runs back over this one.
    private func folds(_ next: RingSegment) -> Bool { next.touches(a) || touches(next.b) }
}
