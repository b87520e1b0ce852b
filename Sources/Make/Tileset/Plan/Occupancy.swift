import Geometry
import ParallelColumns
import Points

/// How the points of a build fill the tiles of each zoom.
struct Occupancy: Sendable {
    /// The counts of each zoom.
    private let zooms: [Zoom]
    /// The latitude of the point where a step of the map is the longest on the ground.
    let nearestToEquator: Double
    let pointCount: Int

    /// The number of cells with points, of points in the fullest, and of cells with only one.
    struct Zoom {
        fileprivate(set) var cells = 0
        fileprivate(set) var densest = 0
        fileprivate(set) var alone = 0
    }

    /// The number of positions that differ at the deepest zoom possible.
    var positionCount: Int { zooms[Int(HilbertSort.deepest)].cells }

    /// - Complexity: O(n).
    init(of tables: [PointTable], threads: Int) {
        var starts = [0]
        for table in tables { starts.append(starts[starts.count - 1] + table.count) }
        let firstRows = starts
        let count = firstRows[tables.count]
        let counter = Workers.with(threads, expecting: HilbertSort.scratch * count) { workers in
            let order = HilbertSort.sorted(
                count, zoom: HilbertSort.deepest, workers: workers
            ) { row in
                var table = tables.count - 1
                while row < firstRows[table] { table -= 1 }
                let position = tables[table].position(of: row - firstRows[table])
                return (TileGrid.fixed(position.x), TileGrid.fixed(position.y))
            }
            var counter = Counter()
            for index in 0..<order.count { counter.add(order[index].key) }
            return counter
        }
        self.init(counter, nearestToEquator: Self.latitudeNearestToEquator(of: tables))
    }

    init(_ counter: Counter, nearestToEquator: Double) {
        var counter = counter
        counter.close(upTo: 0)
        zooms = counter.zooms
        pointCount = counter.count
        self.nearestToEquator = nearestToEquator
    }

    /// Counts points that come along the Hilbert curve.
    struct Counter: Sendable {
        fileprivate var zooms = Array(repeating: Zoom(), count: Int(HilbertSort.deepest) + 1)
        /// The number of points before the open cell of each zoom.
        private var starts = Array(repeating: 0, count: Int(HilbertSort.deepest) + 1)
        private var last: UInt64?
        private(set) var count = 0

        init() {}

        /// - Parameter key: the point's cell at the deepest zoom possible; not less than the one before.
        mutating func add(_ key: UInt64) {
            if let last, last != key {
                // Close cells from the first zoom on at which the two differ.
                let shared = (64 - (last ^ key).leadingZeroBitCount + 1) / 2
                close(upTo: Int(HilbertSort.deepest) - shared + 1)
            }
            last = key
            count += 1
        }

        /// Counts the open cells of the deepest zooms, up to the given one.
        fileprivate mutating func close(upTo zoom: Int) {
            for zoom in zoom..<zooms.count where count > starts[zoom] {
                let points = count - starts[zoom]
                zooms[zoom].cells += 1
                zooms[zoom].densest = max(zooms[zoom].densest, points)
                if points == 1 { zooms[zoom].alone += 1 }
                starts[zoom] = count
            }
        }
    }

    static func latitudeNearestToEquator(of tables: [PointTable]) -> Double {
        latitude(offEquator: tables.reduce(0.5) { min($0, leastOffEquator(of: $1)) })
    }

    /// The distance from the equator of the nearest point, as a share of the world; half of the
    /// world if there are no points.
    static func leastOffEquator(of table: PointTable) -> Double {
        var least = 0.5
        let ys = table.ys.span
        for row in ys.indices { least = min(least, abs(ys[row] - 0.5)) }
        return least
    }

    /// The latitude at a distance from the equator that is given as a share of the world.
    static func latitude(offEquator distance: Double) -> Double {
        abs(WorldPoint(x: 0.5, y: 0.5 - distance).lonLat.latitude)
    }

    /// The counts of a zoom's tiles.
    func tiles(at zoom: UInt8) -> Zoom { zooms[Int(zoom)] }

    /// The counts of cells of 32 pixels, about a marker.
    func markers(at zoom: UInt8) -> Zoom { zooms[Int(min(zoom + 4, HilbertSort.deepest))] }
}
