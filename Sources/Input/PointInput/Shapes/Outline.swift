/// The vertices of a line, an area or a collection, from which one point is chosen.
///
/// Coordinates are those of the input, whatever its system, and taken as a plane. One value is meant to be
/// used again for geometry after geometry.
struct Outline {
    enum Kind {
        case point, line
        /// A ring around an area; the holes behind it belong to it.
        case ring
        case hole
    }

    struct Part {
        var kind: Kind
        /// Its vertices.
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

    /// Adds a vertex to the part at hand; positions without numbers are those of empty points.
    mutating func add(_ x: Double, _ y: Double) {
        guard !parts.isEmpty, !(x.isNaN && y.isNaN) else { return }
        vertices.append(SIMD2(x, y))
        let last = parts.count - 1
        parts[last].range = parts[last].range.lowerBound..<vertices.count
    }

    /// The point that stands for it all: x and y, or nothing of what is empty; or all of its rings.
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

    /// All rings of areas, an infinite position before each; nothing where that could be a vertex.
    private var rings: [Double] {
        guard vertices.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return [] }
        return parts.filter { $0.kind == .ring || $0.kind == .hole }.flatMap { part in
            [.infinity, .infinity] + vertices[part.range].flatMap { [$0.x, $0.y] }
        }
    }
}
