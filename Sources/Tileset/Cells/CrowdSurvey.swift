import Geometry
import Clustering
import Points

/// Finds out whether a layer's tiles would be too full where its clusters end, as `TilesetBuild` does that
/// has all points in memory.
struct CrowdSurvey {
    private let job: CellJob
    private let layer: Int
    /// The first zoom at which points stand apart.
    private let zoom: Int
    private let featureBytes: Double

    init(_ job: CellJob, layer: Int) {
        self.job = job
        self.layer = layer
        zoom = job.layerOptions[layer].maxZoom + 1
        let points = job.plan.layers[layer]
        featureBytes = ZoomPlan.featureBytes(points: points.points, recordBytes: points.recordBytes)
    }

    /// The fullest tile, the first of several along the curve.
    private struct Fullest {
        var tile: TileID
        var count: Int
        var cell: Int
    }

    /// How many points a tile may show; nil where the fullest shows no more.
    func pointLimit() throws -> Int? {
        guard zoom <= Int(job.plan.maxZoom), mayCrowd(job.plan.layers[layer].points) else {
            return nil
        }
        var fullest: Fullest?
        for cell in job.division.cells.indices where mayCrowd(pointsAround(cell)) {
            try job.checkCancelled()
            guard let (tile, count) = try self.fullest(in: cell) else { continue }
            if let best = fullest {
                guard count > best.count || (count == best.count && tile < best.tile) else {
                    continue
                }
            }
            fullest = Fullest(tile: tile, count: count, cell: cell)
        }
        guard let fullest, mayCrowd(fullest.count) else { return nil }
        let table = try points(around: fullest.cell)
        let rows = (0..<table.count).filter {
            TileID(drawing: table.position(of: $0), UInt8(zoom)) == fullest.tile
        }
        return Crowding.pointLimit(
            of: table, named: job.recipe.layers[layer].name, fullestTile: rows, job.recipe.tiles,
            featureBytes: featureBytes)
    }

    /// Whether so many points in a tile may be too many.
    private func mayCrowd(_ points: Int) -> Bool {
        points > job.recipe.tiles.maxFeatures ?? .max
            || Crowding.needsSample(points, job.recipe.tiles, featureBytes: featureBytes)
    }

    /// A cell and so much around it that each tile that one of its points lies in is there as a whole.
    private func task(_ cell: Int) -> CellTask {
        CellTask(
            cell: job.division.cells[cell], cutZoom: job.cutZoom,
            margin: 2 / Double(UInt64(1) << UInt64(zoom)), passLimit: 1)
    }

    private func pointsAround(_ cell: Int) -> Int {
        let (square, margin) = (job.division.cells[cell], task(cell).margin)
        var cells: Set<Int> = []
        job.division.forEachCell(
            touching: WorldBox(
                minX: square.origin.x - margin, minY: square.origin.y - margin,
                maxX: square.origin.x + square.width + margin,
                maxY: square.origin.y + square.width + margin)
        ) { cells.insert($0) }
        return cells.reduce(0) { $0 + job.division.counts[$1] }
    }

    private func points(around cell: Int) throws -> PointTable {
        try CellPoints(job).points(for: task(cell), cell)[layer]
    }

    /// The fullest of the tiles in which a cell's points lie, the first of several.
    private func fullest(in cell: Int) throws -> (tile: TileID, count: Int)? {
        let table = try points(around: cell)
        // How far each point lies along the curve, and whether it is the cell's own.
        var keys: [UInt64] = []
        keys.reserveCapacity(table.count)
        for row in 0..<table.count {
            let position = table.position(of: row)
            let tile = TileID(drawing: position, UInt8(zoom))
            let isOwn = job.division.cell(position.x, position.y) == cell
            keys.append(
                Hilbert.distance(x: tile.x, y: tile.y, order: tile.z) << 1 | (isOwn ? 1 : 0))
        }
        keys.sort()
        var best: (key: UInt64, count: Int)?
        var start = 0
        while start < keys.count {
            var end = start + 1
            while end < keys.count, keys[end] >> 1 == keys[start] >> 1 { end += 1 }
            // Of a tile's points the cell's own come last.
            if keys[end - 1] & 1 == 1, end - start > best?.count ?? 0 {
                best = (keys[start] >> 1, end - start)
            }
            start = end
        }
        return best.map { best in
            let square = Hilbert.cell(at: best.key, order: UInt8(zoom))
            return (TileID(z: UInt8(zoom), x: square.x, y: square.y), best.count)
        }
    }
}
