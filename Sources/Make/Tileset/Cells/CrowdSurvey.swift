import Clustering
import Geometry
import Pipelines
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
        let (wraps, first, least) = (wraps, UInt8(zooms.lowerBound), screen.limit)
        let found = try map(above: least) { cell, table in
            FullTiles(of: table, at: first, limit: least, wraps: wraps).fullest.map {
                (tile: $0.tile, count: $0.count, cell: cell)
            }
        }
        let fullest = found.compactMap(\.self).max {
            ($0.count, $1.tile) < ($1.count, $0.tile)
        }
        guard let fullest else { return nil }
        let table = try CellPoints(job).points(of: fullest.cell, for: nil)[layer]
        let full = FullTiles(
            of: table, at: UInt8(zooms.lowerBound), limit: screen.limit, wraps: wraps)
        return Crowding.pointLimit(
            of: table, named: job.recipe.layers[layer].name,
            fullestTile: full.rows(in: fullest.tile), job.recipe.tiles)
    }

    /// All tiles in which more points lie.
    func tiles(above limit: Int) throws -> [TileID] {
        guard let zooms else { return [] }
        let wraps = wraps
        return try map(above: limit) { _, table in
            var tiles: [TileID] = []
            Crowding(limit: limit, zooms: zooms).forEachZoom(of: table, wraps: wraps) {
                tiles += $0.tiles
            }
            return tiles
        }.flatMap(\.self)
    }

    private var wraps: Bool { job.layerOptions[layer].wrap }

    /// What comes of the layer's points in each cell with a tile that may hold more.
    private func map<Found: Sendable>(
        above limit: Int, _ work: @escaping @Sendable (_ cell: Int, PointTable) -> Found
    ) throws -> [Found] {
        guard let zooms, job.plan.layers[layer].points > limit else { return [] }
        var numbers: Set<Int> = []
        for (tile, count) in counts.tiles(at: min(UInt8(zooms.lowerBound), PointCounts.zoom))
        where count > limit {
            numbers.insert(job.division.cell(tile.origin.x, tile.origin.y))
        }
        let cells = numbers.sorted()
        let pieces = PieceCounter(total: cells.count, size: 1)
        let threads = CellForecast.together(cells.map { job.division.counts[$0] }, job.options)
        var found: [Found] = []
        try OrderedPipeline(threads: threads).run(
            next: { [job] in
                try job.checkCancelled()
                return pieces.next().map { cells[$0.lowerBound] }
            },
            state: { () },
            work: { [job, layer] _, cell in
                work(cell, try CellPoints(job).points(of: cell, for: nil)[layer])
            },
            consume: { found.append($0) })
        return found
    }
}
