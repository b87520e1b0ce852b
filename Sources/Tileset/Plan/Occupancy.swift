import Geometry
import ParallelColumns
import Points

/// How the points of a build fill the tiles of each zoom.
struct Occupancy: Sendable {
    /// The cells of the points along the Hilbert curve, ascending.
    private let keys: Column<UInt64>

    var pointCount: Int { keys.count }

    /// - Complexity: O(n).
    init(of tables: [PointTable], threads: Int) {
        var starts = [0]
        for table in tables { starts.append(starts[starts.count - 1] + table.count) }
        let firstRows = starts
        let count = firstRows[tables.count]
        keys = Workers.with(threads, expecting: HilbertSort.scratch * count) { workers in
            let order = HilbertSort.sorted(
                count, zoom: HilbertSort.deepest, workers: workers
            ) { row in
                var table = tables.count - 1
                while row < firstRows[table] { table -= 1 }
                let place = tables[table].position(of: row - firstRows[table])
                return (TileGrid.fixed(place.x), TileGrid.fixed(place.y))
            }
            var keys = Column<UInt64>(capacity: order.count)
            for index in 0..<order.count { keys.append(order[index].key) }
            return keys
        }
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
        var tiles = Tiles()
        var cell: UInt64?
        var points = 0
        let keys = keys.span
        for index in keys.indices {
            let next = HilbertSort.cell(of: keys[index], at: HilbertSort.deepest, zoom: zoom)
            if next != cell {
                tiles.count += 1
                tiles.densest = max(tiles.densest, points)
                points = 0
                cell = next
            }
            points += 1
        }
        tiles.densest = max(tiles.densest, points)
        return tiles
    }
}
