import Clustering
import Geometry
import Points
import Recipes

/// Points that lie in parts, which a plan is made of.
struct PartPoints {
    let recipe: Recipe
    let jobFolder: JobFolder
    let files: PartFolder
    let keys: AttributeKeys
    let options: BuildOptions
    let parts: [String]
    let heads: [PartHead]
    /// The names of each part's attributes, as the archive has them.
    let names: [[String]]
    /// The parts again, where this process has written them for its plan.
    var own: [OwnPart] = []

    /// What is known of all points.
    func survey() throws -> PointSurvey {
        var survey = try PointSurvey(of: recipe)
        for head in heads { survey.add(head.survey) }
        for (layer, report) in PartReports(heads, recipe).reports.enumerated() {
            survey.layers[layer].report = report
        }
        try survey.settle(recipe, keys)
        return survey
    }

    /// Calls `body` with all points that lie on a stretch of the Hilbert curve, in tiles of the zoom that is
    /// counted in, and with others.
    func forEachTable(
        on stretch: ClosedRange<UInt64>, _ body: (PointTable) throws -> Void
    ) throws {
        try forEachTable(where: { _ in true }, on: stretch, body)
    }

    /// Calls `body` with the points of a layer as they were read, without the ids that are made for them.
    func forEachTable(of layer: Int, _ body: (PointTable) throws -> Void) throws {
        try forEachTable(where: { $0.layer == layer }, on: 0...UInt64.max, body)
    }

    private func forEachTable(
        where isWanted: (PartHead) -> Bool, on stretch: ClosedRange<UInt64>,
        _ body: (PointTable) throws -> Void
    ) throws {
        let wanted = parts.indices.filter { isWanted(heads[$0]) }.map { index in
            WantedBlocks(of: parts[index], names[index], heads[index].blocks) {
                $0.stretch.overlaps(stretch)
            }
        }.filter { !$0.blocks.isEmpty }
        try files.fetch(wanted)
        for part in wanted {
            var reader = try PartReader(part, in: files, keys)
            for block in part.blocks {
                try options.checkCancelled()
                try body(try reader.points(of: block))
            }
        }
    }
}

/// Reads blocks of a part.
struct PartReader {
    private var reader: JobFileReader
    private let keys: StoredKeys

    init(
        _ blocks: WantedBlocks, in folder: PartFolder, _ keys: AttributeKeys
    ) throws(JobError) {
        reader = try folder.read(folder.points(of: blocks.part))
        self.keys = StoredKeys(blocks.names, in: keys)
    }

    /// - Parameter numbered: whether points have their numbers as ids, which stand behind them.
    mutating func points(
        of block: PartBlock, numbered: Bool = false
    ) throws(JobError) -> PointTable {
        reader.seek(to: block.offset)
        var source = try reader.block()
        let keys = keys
        return try reader.decode { () throws(BlockSource.Damaged) in
            var points = try source.points(keys)
            guard points.count == block.count else { throw BlockSource.Damaged() }
            guard numbered else { return points }
            let numbers: Column<UInt64> = try source.column()
            guard numbers.count == points.count else { throw BlockSource.Damaged() }
            points.numberPoints(numbers)
            return points
        }
    }
}

/// The points of cells.
struct CellPoints {
    private let job: CellJob
    private let folder: PartFolder

    init(_ job: CellJob) {
        self.job = job
        folder = PartFolder(job.folder, job.recipe, generator: job.plan.generator)
    }

    /// The points of each layer that lie in a cell or no further from it than a margin.
    func points(of cell: Int, within margin: Double) throws -> [PointTable] {
        var tables = job.plan.layers.map { _ in PointTable(keys: job.keys) }
        let square = job.division.cells[cell]
        let stretches = CurveStretches(of: square, margin: margin * (1 + 1e-9))
        let own = CurveStretches.stretch(of: square)
        let wanted = try PartIndex(job).blocks(on: stretches)
        try folder.fetch(wanted)
        for part in wanted {
            try job.checkCancelled()
            var reader = try PartReader(part, in: folder, job.keys)
            let layer = PartFolder.layer(of: part.part) ?? 0
            for block in part.blocks {
                let points = try reader.points(
                    of: block, numbered: job.recipe.layers[layer].input.generateID)
                if own.contains(block.stretch.lowerBound), own.contains(block.stretch.upperBound) {
                    tables[layer].append(points)
                    continue
                }
                let rows = rows(of: points, in: cell, layer, margin)
                if !rows.isEmpty { tables[layer].append(PointBatch(rows.span, of: points)) }
            }
        }
        return tables
    }

    private func rows(
        of points: PointTable, in cell: Int, _ layer: Int, _ margin: Double
    ) -> [UInt32] {
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
