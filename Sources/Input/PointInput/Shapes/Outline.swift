/// The vertices of a line, an area or a collection, from which one point is made.
///
/// Coordinates are those of the input, in any system, and treated as planar. One value is reused
/// for geometry after geometry.
struct Outline {
    enum Kind {
        case point, line
        /// A ring around an area; the holes after it belong to it.
        case ring
        case hole
    }

    struct Part {
        var kind: Kind
        /// The range of its vertices.
        var range: Range<Int>
    }

    private(set) var vertices: [SIMD2<Double>] = []
    private(set) var parts: [Part] = []

    mutating func reset() {
        vertices.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
    }

    mutating func begin(_ kind: Kind) {
        parts.append(Part(kind: kind, range: vertices.count..<vertices.count))
    }

    /// Adds a vertex to the current part; positions without numbers come from empty points.
    mutating func add(_ x: Double, _ y: Double) {
        guard !parts.isEmpty, !(x.isNaN && y.isNaN) else { return }
        vertices.append(SIMD2(x, y))
        let last = parts.count - 1
        parts[last].range = parts[last].range.lowerBound..<vertices.count
    }

    /// The point that represents the whole: x and y, or nothing if it is empty; or all its rings.
    func positions(_ rule: PointsFrom) -> [Double] {
        guard let first = vertices.first else { return [] }
        let place: SIMD2<Double>
        switch rule {
        case .first: place = first
        case .centroid: place = centroid(from: first)
        case .inside: place = areaPoint ?? linePoint ?? first
        case .outline: return rings
        }
        return [place.x, place.y]
    }

    /// All rings of areas, each preceded by an infinite position; empty if a vertex is infinite.
    private var rings: [Double] {
        guard vertices.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return [] }
        return parts.filter { $0.kind == .ring || $0.kind == .hole }.flatMap { part in
            [.infinity, .infinity] + vertices[part.range].flatMap { [$0.x, $0.y] }
        }
    }
}
