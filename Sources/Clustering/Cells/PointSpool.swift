import Geometry
import Points

/// The points of one hierarchy by the cells in which they lie.
struct PointSpool {
    private let input: ClusterInput
    private var points: [TileID: [UInt32]] = [:]

    init(_ input: ClusterInput, cellZoom: Int) {
        self.input = input
        for point in 0..<input.count {
            let place = WorldPoint(x: input.x[point], y: input.y[point])
            points[TileID(holding: place, zoom: UInt8(cellZoom)), default: []].append(
                UInt32(point))
        }
    }

    /// The rows of the points that a task knows.
    func rows(for task: CellTask) -> Column<UInt32> {
        let known = task.known(wraps: input.options.wrap)
        var rows: [UInt32] = []
        for (cell, points) in points where known.isWhole || isNear(cell, task) {
            for point in points where known.contains(input.x[point], input.y[point]) {
                rows.append(UInt32(input.row(point)))
            }
        }
        return Column(rows.sorted())
    }

    /// Whether a cell may reach into the margin of another.
    private func isNear(_ cell: TileID, _ task: CellTask) -> Bool {
        let side = task.cell.width
        let (dx, dy) = (
            abs(cell.origin.x - task.cell.origin.x), abs(cell.origin.y - task.cell.origin.y)
        )
        return min(dx, 1 - dx) <= side + task.margin && dy <= side + task.margin
    }
}
