import Geometry
import ParallelColumns
import Points

/// How the points of a build fill the tiles of each zoom.
struct Occupancy: Sendable {
    /// The cells of the points along the Hilbert curve, ascending.
    private let keys: Column<UInt64>
    /// Latitude of the point where a step of the map is the longest on the ground.
    let nearestToEquator: Double

    var pointCount: Int { keys.count }

    /// How many positions the deepest zoom of all tells apart.
    let positionCount: Int

    /// - Complexity: O(n).
    init(of tables: [PointTable], threads: Int) {
        var starts = [0]
        for table in tables { starts.append(starts[starts.count - 1] + table.count) }
        let firstRows = starts
        let count = firstRows[tables.count]
        let keys = Workers.with(threads, expecting: HilbertSort.scratch * count) { workers in
            let order = HilbertSort.sorted(
                count, zoom: HilbertSort.deepest, workers: workers
            ) { row in
                var table = tables.count - 1
                while row < firstRows[table] { table -= 1 }
                let position = tables[table].position(of: row - firstRows[table])
                return (TileGrid.fixed(position.x), TileGrid.fixed(position.y))
            }
            var keys = Column<UInt64>(capacity: order.count)
            for index in 0..<order.count { keys.append(order[index].key) }
            return keys
        }
        self.keys = keys
        nearestToEquator = Self.latitudeNearestToEquator(of: tables)
        positionCount = Self.cells(keys, at: HilbertSort.deepest).cells
    }

    static func latitudeNearestToEquator(of tables: [PointTable]) -> Double {
        var least = 0.5
        for table in tables {
            let ys = table.ys.span
            for row in ys.indices { least = min(least, abs(ys[row] - 0.5)) }
        }
        return abs(WorldPoint(x: 0.5, y: 0.5 - least).lonLat.latitude)
    }

    /// What a zoom's tiles look like.
    struct Tiles: Equatable {
        /// Tiles that hold a point.
        var count = 0
        /// The points of the fullest tile.
        var densest = 0
    }

    /// - Complexity: O(n).
    func tiles(at zoom: UInt8) -> Tiles {
        let cells = Self.cells(keys, at: zoom)
        return Tiles(count: cells.cells, densest: cells.densest)
    }

    /// How many cells of 32 pixels, about a marker, hold a point, and how many of them only one.
    /// - Complexity: O(n).
    func markers(at zoom: UInt8) -> (cells: Int, alone: Int) {
        let cells = Self.cells(keys, at: min(zoom + 4, HilbertSort.deepest))
        return (cells.cells, cells.alone)
    }

    private static func cells(
        _ keys: Column<UInt64>, at zoom: UInt8
    ) -> (cells: Int, densest: Int, alone: Int) {
        var (count, densest, alone) = (0, 0, 0)
        var cell: UInt64?
        var points = 0
        let keys = keys.span
        for index in keys.indices {
            let next = HilbertSort.cell(of: keys[index], at: HilbertSort.deepest, zoom: zoom)
            if next != cell {
                if points == 1 { alone += 1 }
                densest = max(densest, points)
                count += 1
                points = 0
                cell = next
            }
            points += 1
        }
        if points == 1 { alone += 1 }
        return (count, max(densest, points), alone)
    }
}
