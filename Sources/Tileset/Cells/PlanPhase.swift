import Clustering
import Geometry
import Platform
import PointInput
import Points
import Recipes

/// The first phase: from points that were read to a plan, and to the points of each cell in a file of
/// its own.
struct PlanPhase {
    let recipe: Recipe
    let store: PointStore
    let reports: [InputReport]
    let keys: AttributeKeys
    let options: BuildOptions
    let sources: [String]
    /// Where the archive goes, if that is known by now.
    let archive: String?

    /// What is known when all points were looked at once.
    private struct Survey {
        var counts = PointCounts()
        var layers: [JobPlan.Layer]
        var groups: [Set<[UInt8]>]
        var greatestID: UInt64?
        var leastOffEquator = 0.5
        var content: UInt64 = 0
    }

    func run() throws -> CellJob {
        let survey = try survey()
        guard survey.counts.total < Int(Int32.max) else {
            throw ClusteringError.tooManyPoints(survey.counts.total)
        }
        let zooms = try zoomPlan(survey)
        let layerOptions = try recipe.layers.map { try zooms.clusterOptions(for: $0) }
        for layer in layerOptions {
            try layer.validate()
            try layer.checkCells()
            guard layer.minZoom <= layer.maxZoom else {
                throw JobError.cannotCut(
                    reason: "there is no zoom at which points merge; allow more memory")
            }
        }
        let choice = CellChoice(
            survey.counts, layerOptions,
            hierarchies: survey.layers.reduce(0) { $0 + $1.groups.count },
            cellZoom: options.cells.zoom)
        let plan = JobPlan(
            recipe: recipe, generator: options.generator, zooms, names: keys.names,
            greatestID: survey.greatestID, layers: survey.layers, choice,
            margin: options.cells.margin, sources: sources, content: survey.content)
        var job = try CellJob(store.folder(), plan, keys: keys, options: options)
        try DiskForecast(plan, survey.counts, layerOptions, zooms)
            .check(job: job.folder.path, archive: archive)
        try spool(for: job)
        store.remove()
        try findCrowds(&job)
        if try job.publishPlan() { return job }
        // Another process was sooner. Whether names or times tell its plan from ours or not, it does for
        // the same points.
        let first = try CellJob(in: job.folder, options: options)
        if first.name != job.name { UnfinishedFiles.discard(job.files.path) }
        guard first.plan.answers(recipe, options, sources) else {
            throw JobError.plannedOtherwise(folder: job.folder.path)
        }
        return first
    }

    private func findCrowds(_ job: inout CellJob) throws {
        let surveys = recipe.layers.indices.map { CrowdSurvey(job, layer: $0) }
        let limits = try surveys.map { try $0.pointLimit() }
        job.plan.pointLimits = limits
        guard limits.contains(where: { $0 != nil }) else { return }
        let tiles = try zip(surveys, limits).map { survey, limit in
            try limit.map { try survey.tiles(above: $0) } ?? []
        }
        try CrowdedTiles.write(tiles, of: job)
    }

    /// Points of a block, with the ids that they are given where nobody gave them any.
    private func points(
        of block: PointStore.Block, _ numbers: inout [Int]
    ) throws -> PointTable {
        var points = try store.points(of: block)
        if recipe.layers[block.layer].input.generateID {
            points.numberPoints(from: numbers[block.layer])
        }
        numbers[block.layer] += points.count
        return points
    }

    private func survey() throws -> Survey {
        var survey = Survey(
            layers: recipe.layers.map { _ in JobPlan.Layer() },
            groups: recipe.layers.map { _ in [] })
        for (index, report) in reports.enumerated() { survey.layers[index].report = report }
        var numbers = recipe.layers.map { _ in 0 }
        for block in store.blocks {
            try checkCancelled()
            let points = try points(of: block, &numbers)
            survey.counts.add(points.xs.span, points.ys.span)
            survey.layers[block.layer].points += points.count
            survey.layers[block.layer].recordBytes +=
                points.attributes.byteCount - 8 * points.count
            if let greatest = points.greatestID {
                survey.greatestID = max(survey.greatestID ?? 0, greatest)
            }
            survey.leastOffEquator = min(
                survey.leastOffEquator, Occupancy.leastOffEquator(of: points))
            if let name = recipe.layers[block.layer].clusters?.options.groupBy {
                let groups = PointGroups.rows(of: points, by: name).keys
                survey.groups[block.layer].formUnion(groups)
            }
            var sink = BlockSink()
            sink.write(points)
            survey.content = ByteSum.of(sink.bytes.span) ^ (survey.content &* 31)
        }
        for (index, layer) in recipe.layers.enumerated() {
            guard let name = layer.clusters?.options.groupBy else { continue }
            guard keys.key(named: name) != nil else {
                throw ClusteringError.contradiction(
                    "groupBy: no point has an attribute '\(name)'")
            }
            survey.layers[index].groups = PointGroups.inOrder(survey.groups[index])
        }
        return survey
    }

    private func zoomPlan(_ survey: Survey) throws -> ZoomPlan {
        let latitude = Occupancy.latitude(offEquator: survey.leastOffEquator)
        let bytes = survey.layers.reduce(0) { $0 + $1.recordBytes }
        return try ZoomPlan(
            recipe.tiles, latitude: latitude,
            featureBytes: ZoomPlan.featureBytes(points: survey.counts.total, recordBytes: bytes)
        ) {
            Occupancy(try occupancy(survey), nearestToEquator: latitude)
        }
    }

    /// Counts points along the curve, one stretch of it after another, so that few are in memory.
    private func occupancy(_ survey: Survey) throws -> Occupancy.Counter {
        var counter = Occupancy.Counter()
        let stretches = max(1, survey.counts.total >> 23)
        let deep = HilbertSort.deepest
        let end = UInt64(1) << (2 * UInt64(deep))
        for stretch in 0..<stretches {
            let first = end / UInt64(stretches) * UInt64(stretch)
            let next =
                stretch + 1 < stretches ? end / UInt64(stretches) * UInt64(stretch + 1) : end
            var keys: [UInt64] = []
            for block in store.blocks {
                try checkCancelled()
                let points = try store.points(of: block)
                for row in 0..<points.count {
                    let position = points.position(of: row)
                    let key = HilbertSort.key(
                        x: TileGrid.fixed(position.x), y: TileGrid.fixed(position.y), zoom: deep)
                    if first <= key, key < next { keys.append(key) }
                }
            }
            keys.sort()
            for key in keys { counter.add(key) }
        }
        return counter
    }

    private func checkCancelled() throws {
        if options.isCancelled() { throw BuildError.cancelled }
    }

    /// Writes each point to its cell, and to those in whose margin it lies.
    private func spool(for job: CellJob) throws {
        try job.files.makeFolder("points")
        var spools = try CellSpools(job)
        var numbers = recipe.layers.map { _ in 0 }
        for block in store.blocks {
            try checkCancelled()
            try spools.add(try points(of: block, &numbers), layer: block.layer)
        }
        try spools.finish()
    }
}
