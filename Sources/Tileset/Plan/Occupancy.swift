import Geometry
import Points

/// How the points of a build fill the tiles of each zoom.
struct Occupancy: Sendable {
    /// The cells of the points along the Hilbert curve, ascending.
    private let keys: Column<UInt64>

    var pointCount: Int { keys.count }

    /// - Complexity: O(n).
    init(of tables: [PointTable]) {
        var keys = Column<UInt64>(capacity: tables.reduce(0) { $0 + $1.count })
        for table in tables {
            let (xs, ys) = (table.xs.span, table.ys.span)
            for row in xs.indices {
                let (x, y) = (TileGrid.fixed(xs[row]), TileGrid.fixed(ys[row]))
                keys.append(HilbertSort.key(x: x, y: y))
            }
        }
        var rows = Column<UInt32>(repeating: 0, count: keys.count)
        HilbertSort.sort(&keys, with: &rows)
        self.keys = keys
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
            let next = HilbertSort.cell(of: keys[index], zoom: zoom)
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
