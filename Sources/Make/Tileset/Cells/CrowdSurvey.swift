import Clustering
import Geometry
import Points

/// Finds the crowded tiles past a layer's cluster zooms, cell by cell, as `Crowding` does where all points
/// are in memory.
///
/// No cell is deeper than the cluster zooms, so all points of such a tile are in one cell.
struct CrowdSurvey {
    private let job: CellJob
    private let layer: Int
    private let screen: CrowdScreen
    private let counts: PointCounts
    private var zooms: ClosedRange<Int>? {
        let (first, last) = (job.layerOptions[layer].maxZoom + 1, Int(job.plan.maxZoom))
        return first <= last ? first...last : nil
    }

    /// - Parameter counts: those of all layers together.
    init(_ job: CellJob, layer: Int, _ counts: PointCounts) {
        self.job = job
        self.layer = layer
        self.counts = counts
        let points = job.plan.layers[layer]
        screen = CrowdScreen(
            job.recipe.tiles,
            featureBytes: ZoomPlan.featureBytes(
                points: points.points, recordBytes: points.recordBytes))
    }

    /// How many points a tile may show; nil where the fullest shows no more.
    func pointLimit() throws -> Int? {
        guard let zooms else { return nil }
        var fullest: (tile: TileID, count: Int, cell: Int)?
        try forEachCell(above: screen.limit) { cell, table in
            let full = FullTiles(
                of: table, at: UInt8(zooms.lowerBound), limit: screen.limit, wraps: wraps)
            guard let (tile, count) = full.fullest else { return }
            if let best = fullest {
                guard count > best.count || count == best.count && tile < best.tile else { return }
            }
            fullest = (tile, count, cell)
        }
        guard let fullest else { return nil }
        let table = try CellPoints(job).ownPoints(of: fullest.cell)[layer]
        let full = FullTiles(
            of: table, at: UInt8(zooms.lowerBound), limit: screen.limit, wraps: wraps)
        return Crowding.pointLimit(
            of: table, named: job.recipe.layers[layer].name,
            fullestTile: full.rows(in: fullest.tile), job.recipe.tiles)
    }

    /// All tiles in which more points lie.
    func tiles(above limit: Int) throws -> [TileID] {
        guard let zooms else { return [] }
        var tiles: [TileID] = []
        try forEachCell(above: limit) { _, table in
            Crowding(limit: limit, zooms: zooms).forEachZoom(of: table, wraps: wraps) {
                tiles += $0.tiles
            }
        }
        return tiles
    }

    private var wraps: Bool { job.layerOptions[layer].wrap }

    /// The layer's points in each cell with a tile that may hold more.
    private func forEachCell(
        above limit: Int, _ body: (_ cell: Int, PointTable) -> Void
    ) throws {
        guard let zooms, job.plan.layers[layer].points > limit else { return }
        var cells: Set<Int> = []
        for (tile, count) in counts.tiles(at: min(UInt8(zooms.lowerBound), PointCounts.zoom))
        where count > limit {
            cells.insert(job.division.cell(tile.origin.x, tile.origin.y))
        }
        for cell in cells.sorted() {
            try job.checkCancelled()
            body(cell, try CellPoints(job).ownPoints(of: cell)[layer])
        }
    }
}
