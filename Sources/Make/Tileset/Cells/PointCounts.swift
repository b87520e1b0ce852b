import Basics
import CLibrary
import Geometry
import Points

/// The number of points in each tile of a deep zoom, by which the world is cut.
struct PointCounts: Sendable {
    static let zoom: UInt8 = 11
    private static let tileCount = 1 << (2 * Int(zoom))

    /// The number of a tile in its zoom, quarter by quarter, so that the tiles in a larger one have
    /// consecutive numbers.
    private typealias Entry = (place: UInt32, count: UInt32)
    /// The tiles with points, ascending, as read from a file.
    private var entries: [Entry] = []
    /// Counters in pages, made when counting begins: looking tiles up by hash would take longer
    /// than reading the points. Pages without points are empty.
    private var pages: [[UInt32]] = []
    private static let pageBits: UInt32 = 8
    private static let pageSize = 1 << Int(pageBits)
    private(set) var total = 0
    /// The most points of an archive.
    static let mostPoints = 1 << 40

    init() {}

    /// - Parameter wraps: whether the eastern edge of the world is the western edge.
    mutating func add(_ xs: Span<Double>, _ ys: Span<Double>, wraps: Bool) {
        spread()
        let side = Double(1 << Int(Self.zoom))
        for index in xs.indices {
            let east = wraps && xs[index] == 1 ? 0 : xs[index]
            let x = UInt32(min(max(east * side, 0), side - 1))
            let y = UInt32(min(max(ys[index] * side, 0), side - 1))
            count(1, at: Self.place(x, y))
        }
        total += xs.count
    }

    mutating func add(_ other: PointCounts) {
        spread()
        other.forEach { count($1, at: $0) }
        total += other.total
    }

    /// Subtracts points that were counted.
    mutating func remove(_ other: PointCounts) {
        spread()
        other.forEach { count(0 &- $1, at: $0) }
        total -= other.total
    }

    private mutating func spread() {
        guard pages.isEmpty else { return }
        pages = Array(repeating: [], count: Self.tileCount / Self.pageSize)
        for (place, points) in entries { count(points, at: place) }
        entries = []
    }

    @inline(__always)
    private mutating func count(_ points: UInt32, at place: UInt32) {
        let page = Int(place >> Self.pageBits)
        if pages[page].isEmpty { pages[page] = Array(repeating: 0, count: Self.pageSize) }
        // A counter that overflows is noticed by the total.
        pages[page][Int(place) & (Self.pageSize - 1)] &+= points
    }

    private func forEach(_ body: (_ place: UInt32, _ count: UInt32) -> Void) {
        for (place, count) in entries { body(place, count) }
        for page in pages.indices where !pages[page].isEmpty {
            let counters = pages[page]
            for index in 0..<counters.count where counters[index] > 0 {
                body(UInt32(page) << Self.pageBits | UInt32(index), counters[index])
            }
        }
    }

    /// Lists the tiles, so that going over them takes time only for tiles with points.
    mutating func gather() {
        var listed: [Entry] = []
        forEach { listed.append(($0, $1)) }
        (entries, pages) = (listed, [])
    }

    func write(to sink: inout BlockSink) {
        var places = Column<UInt32>()
        var counts = Column<UInt32>()
        forEach { place, count in
            places.append(place)
            counts.append(count)
        }
        sink.write(places)
        sink.write(counts)
    }

    init(_ source: inout BlockSource) throws(BlockSource.Damaged) {
        let places: Column<UInt32> = try source.column()
        let counts: Column<UInt32> = try source.column()
        guard counts.count == places.count else { throw BlockSource.Damaged() }
        for index in 0..<places.count {
            let (place, count) = (places[index], counts[index])
            guard place < Self.tileCount, count <= Int32.max,
                entries.last.map({ $0.place < place }) ?? true
            else { throw BlockSource.Damaged() }
            entries.append((place, count))
            total += Int(count)
        }
    }

    /// About how many tiles of a zoom hold points; there are seldom more.
    func tileCount(at zoom: UInt8) -> Int {
        guard zoom > Self.zoom else { return tiles(at: zoom).count }
        let parts = Double(1 << Int(min(2 * (zoom - Self.zoom), 30)))
        var count = 0.0
        forEach { count += Self.taken(Double($1), parts) }
        return Int(count)
    }

    /// How many places are taken when points fall anywhere among a number of places.
    static func taken(_ points: Double, _ room: Double) -> Double {
        room * (1 - exp(-points / room))
    }

    /// The tiles of a zoom that have points, with their counts.
    func tiles(at zoom: UInt8) -> [(tile: TileID, count: Int)] {
        let shift = 2 * UInt32(Self.zoom - zoom)
        var tiles: [(place: UInt32, count: Int)] = []
        forEach { place, count in
            if let last = tiles.indices.last, tiles[last].place == place >> shift {
                tiles[last].count += Int(count)
            } else {
                tiles.append((place >> shift, Int(count)))
            }
        }
        return tiles.map { place, count in
            let (x, y) = (Self.everyOther(place), Self.everyOther(place >> 1))
            return (TileID(z: zoom, x: x, y: y), count)
        }
    }

    /// The number of points in the fullest tile; no cell is smaller. Throws if there are more points than can be numbered.
    func fullest() throws(JobError) -> Int {
        guard total <= Self.mostPoints else {
            throw .cannotCut(reason: "\(total) points are more than an archive numbers, 2^40")
        }
        var (fullest, sum) = (0, 0)
        forEach { _, count in
            fullest = max(fullest, Int(count))
            sum += Int(count)
        }
        // With another sum, a counter overflowed.
        guard fullest < Int32.max, sum == total else {
            throw .cannotCut(
                reason: "a tile of zoom \(Self.zoom) has more points than a cell numbers, 2^31")
        }
        return fullest
    }

    /// The Hilbert curve cut into stretches of about so many points each, in tiles of this zoom; of more
    /// where one tile holds more.
    func stretches(of most: Int) -> [ClosedRange<UInt64>] {
        var stretches: [ClosedRange<UInt64>] = []
        var (first, points) = (UInt64(0), 0)
        for (distance, count) in alongCurve {
            if points > 0, points + count > most {
                stretches.append(first...distance - 1)
                (first, points) = (distance, 0)
            }
            points += count
        }
        return stretches + [first...UInt64(Self.tileCount - 1)]
    }

    /// One of `count` stretches, numbered from 1, with about as many points each; some are empty if
    /// a tile holds the points of several.
    func stretch(_ number: Int, of count: Int) -> Range<UInt64> {
        var (bounds, points) = ([UInt64(0)], 0)
        for (distance, more) in alongCurve {
            while bounds.count < count, points >= total * bounds.count / count, points > 0 {
                bounds.append(distance)
            }
            points += more
        }
        while bounds.count <= count { bounds.append(UInt64(Self.tileCount)) }
        return bounds[number - 1]..<bounds[number]
    }

    private var alongCurve: [(distance: UInt64, count: Int)] {
        tiles(at: Self.zoom).map { tile, count in
            (Hilbert.distance(x: tile.x, y: tile.y, order: Self.zoom), count)
        }.sorted { $0.distance < $1.distance }
    }

    /// A function that gives the number of points in a tile of this zoom or a shallower one.
    func sums() -> (_ tile: TileID) -> Int {
        var places: [UInt32] = []
        var before = [0]
        forEach { place, count in
            places.append(place)
            before.append(before[before.count - 1] + Int(count))
        }
        return { tile in
            let shift = 2 * UInt32(Self.zoom - tile.z)
            let first = Self.place(tile.x, tile.y) << shift
            let last = first + (1 << shift - 1)
            return before[places.indices.partitionPoint { places[$0] > last }]
                - before[places.indices.partitionPoint { places[$0] >= first }]
        }
    }

    private static func place(_ x: UInt32, _ y: UInt32) -> UInt32 { parted(x) | parted(y) << 1 }

    /// The lower 16 bits, with a zero after each.
    private static func parted(_ number: UInt32) -> UInt32 {
        var bits = number
        bits = (bits | bits << 8) & 0x00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333
        return (bits | bits << 1) & 0x5555_5555
    }

    private static func everyOther(_ number: UInt32) -> UInt32 {
        var bits = number & 0x5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF
        return (bits | bits >> 8) & 0x0000_FFFF
    }
}
