/// Edges of areas sorted into bands of latitude, so that a place is compared with only a few of them.
struct RegionBands: Sendable {
    /// An area of a region. A place is inside if an odd number of rings surrounds it, so holes are ordinary rings.
    struct Area {
        var region: Int
        var rings: [[FixedPlace]]
    }

    /// A side of an area that is not horizontal, from its lower end to its upper one.
    struct Edge: BitwiseCopyable, Sendable {
        var low: FixedPlace
        var high: FixedPlace

        /// Whether a place, at a height between the ends, is left of the edge. A place on it is not.
        func isRight(of place: FixedPlace) -> Bool {
            let own = (place.x - low.x).multipliedFullWidth(by: high.y - low.y)
            let side = (place.y - low.y).multipliedFullWidth(by: high.x - low.x)
            return (own.high, own.low) < (side.high, side.low)
        }
    }

    /// The edges of an area in a band.
    private struct Stretch: Sendable {
        var area: Int32
        var region: Int32
        var left: Int64
        var right: Int64
        var edges: Range<Int>
    }

    private var south: Int64 = 0
    private var height: Int64 = 1
    /// The start of each band's stretches, which are in the order of the areas.
    private var bands: [Int] = [0]
    private var stretches: [Stretch] = []
    private var edges: [Edge] = []
    /// The turns by which a place may have to be moved to meet areas drawn beyond 180 degrees.
    private var turns: [Int64] = [0]

    private static let mostBands = 1 << 16

    init(_ areas: [Area]) {
        let all = areas.enumerated().flatMap { number, area in
            area.rings.flatMap(Self.edges).map { (area: number, edge: $0) }
        }
        guard let south = all.map(\.edge.low.y).min(), let north = all.map(\.edge.high.y).max()
        else { return }
        self.south = south
        // Chosen so that edges are in about three bands each on average.
        let heights = all.reduce(0.0) { $0 + Double($1.edge.high.y - $1.edge.low.y) }
        let count = 2 * Double(all.count) * Double(north - south) / heights
        let bandCount = Int64(min(max(count, 1), Double(Self.mostBands)))
        height = (north - south + bandCount - 1) / bandCount
        fill(all, areas, count: Int((north - south + height - 1) / height))
        let (west, east) = (stretches.map(\.left).min() ?? 0, stretches.map(\.right).max() ?? 0)
        if east > FixedPlace.turn / 2 { turns.append(FixedPlace.turn) }
        if west < -FixedPlace.turn / 2 { turns.append(-FixedPlace.turn) }
    }

    /// The sides of a ring that are not horizontal; the ring need not repeat its first place at its end.
    private static func edges(_ ring: [FixedPlace]) -> [Edge] {
        zip(ring, ring.dropFirst() + ring.prefix(1)).compactMap { start, end in
            start.y == end.y
                ? nil
                : start.y < end.y ? Edge(low: start, high: end) : Edge(low: end, high: start)
        }
    }

    /// Sorts the edges into bands; within one they keep their order.
    private mutating func fill(_ all: [(area: Int, edge: Edge)], _ areas: [Area], count: Int) {
        var ends = [Int](repeating: 0, count: count + 1)
        for (_, edge) in all { for band in bandsOf(edge) { ends[band + 1] += 1 } }
        for band in 0..<count { ends[band + 1] += ends[band] }
        var next = ends
        var owners = [Int32](repeating: 0, count: ends[count])
        let blank = Edge(low: FixedPlace(x: 0, y: 0), high: FixedPlace(x: 0, y: 0))
        edges = [Edge](repeating: blank, count: ends[count])
        for (area, edge) in all {
            for band in bandsOf(edge) {
                edges[next[band]] = edge
                owners[next[band]] = Int32(area)
                next[band] += 1
            }
        }
        for band in 0..<count {
            var start = ends[band]
            while start < ends[band + 1] {
                let end =
                    owners[start..<ends[band + 1]].firstIndex { $0 != owners[start] }
                    ?? ends[band + 1]
                append(start..<end, of: owners[start], areas)
                start = end
            }
            bands.append(stretches.count)
        }
    }

    private mutating func append(_ range: Range<Int>, of area: Int32, _ areas: [Area]) {
        let own = edges[range]
        stretches.append(
            Stretch(
                area: area, region: Int32(areas[Int(area)].region),
                left: own.map { min($0.low.x, $0.high.x) }.min() ?? 0,
                right: own.map { max($0.low.x, $0.high.x) }.max() ?? 0, edges: range))
    }

    private func bandsOf(_ edge: Edge) -> ClosedRange<Int> {
        Int((edge.low.y - south) / height)...Int((edge.high.y - 1 - south) / height)
    }

    /// The region of the first area that contains the place.
    func region(at place: FixedPlace) -> Int? {
        let place = place.home
        guard place.y >= south, case let band = (place.y - south) / height, band < bands.count - 1
        else { return nil }
        var first: Stretch?
        for turn in turns {
            let moved = FixedPlace(x: place.x + turn, y: place.y)
            guard let found = stretch(around: moved, in: Int(band)) else { continue }
            if found.area < first?.area ?? .max { first = found }
        }
        return first.map { Int($0.region) }
    }

    private func stretch(around place: FixedPlace, in band: Int) -> Stretch? {
        for index in bands[band]..<bands[band + 1] {
            let stretch = stretches[index]
            guard place.x >= stretch.left, place.x < stretch.right else { continue }
            var isInside = false
            for edge in edges[stretch.edges]
            where edge.low.y <= place.y && place.y < edge.high.y && edge.isRight(of: place) {
                isInside.toggle()
            }
            if isInside { return stretch }
        }
        return nil
    }
}
