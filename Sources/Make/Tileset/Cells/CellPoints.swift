import Clustering
import Geometry
import Points

/// The points that lie in a cell or no further from it than a margin.
struct CellPoints {
    private let job: CellJob
    private let cell: Int
    private let folder: PartFolder
    private let margin: Double
    /// Where the cell lies along the curve, and where all points are asked for.
    private let own: ClosedRange<UInt64>
    private let inside: CurveStretches

    init(_ job: CellJob, of cell: Int, within margin: Double) {
        self.job = job
        self.cell = cell
        self.margin = margin
        folder = PartFolder(job.folder, job.recipe, generator: job.plan.generator)
        let square = job.division.cells[cell]
        own = CurveStretches.stretch(of: square)
        inside = CurveStretches(of: square, margin: margin, inside: true)
    }

    /// Those of each layer.
    func tables() throws -> [PointTable] {
        var tables = job.plan.layers.map { _ in PointTable(keys: job.keys) }
        try forEachBlock { layer, block, reader in
            let points = try reader.points(
                of: block, numbered: job.recipe.layers[layer].input.generateID)
            if isWhole(block) {
                tables[layer].append(points)
            } else {
                let rows = rows(of: points, layer)
                if !rows.isEmpty { tables[layer].append(PointBatch(rows.span, of: points)) }
            }
        }
        return tables
    }

    /// A sum over them, where blocks have theirs. Of few of these the points are read for it.
    func sum() throws -> UInt64? {
        var (sum, others): (UInt64?, PointsSum) = (0, PointsSum(isOrdered: false))
        try forEachBlock { layer, block, reader in
            guard let known = sum, let own = block.sum else {
                sum = nil
                return
            }
            if isWhole(block) {
                sum = known &+ own
                return
            }
            let points = try reader.points(
                of: block, numbered: job.recipe.layers[layer].input.generateID)
            let rows = rows(of: points, layer)
            var table = PointTable(keys: job.keys)
            if !rows.isEmpty { table.append(PointBatch(rows.span, of: points)) }
            others.include(table, of: layer)
        }
        return sum.map { $0 &+ others.value }
    }

    /// Goes over the blocks that may hold some.
    private func forEachBlock(
        _ body: (_ layer: Int, PartBlock, inout PartReader) throws -> Void
    ) throws {
        let square = job.division.cells[cell]
        let stretches = CurveStretches(of: square, margin: margin * (1 + 1e-9))
        let wanted = try PartIndex(job).blocks(on: stretches)
        try folder.fetch(wanted)
        for part in wanted {
            try job.checkCancelled()
            var reader = try PartReader(part, in: folder, job.keys)
            let layer = PartFolder.layer(of: part.part) ?? 0
            for block in part.blocks { try body(layer, block, &reader) }
        }
    }

    private func isWhole(_ block: PartBlock) -> Bool {
        own.contains(block.stretch.lowerBound) && own.contains(block.stretch.upperBound)
            || inside.hold(block.stretch)
    }

    private func rows(of points: PointTable, _ layer: Int) -> [UInt32] {
        let wraps = job.layerOptions[layer].wrap
        let ground = KnownGround(job.division.cells[cell], margin: margin, wraps: wraps)
        return (0..<UInt32(points.count)).filter { row in
            let position = points.position(of: Int(row))
            let place = position.inSquare(wraps: wraps)
            if job.division.cell(place.x, place.y) == cell { return true }
            return ground.contains(position.x, position.y)
        }
    }
}
