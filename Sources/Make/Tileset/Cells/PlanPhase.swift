import Clustering
import Geometry
import Platform
import Points
import Recipes

/// The first phase: makes a plan and the index of points from points that were read.
struct PlanPhase {
    let recipe: Recipe
    let points: PartPoints
    let keys: AttributeKeys
    let options: BuildOptions
    let sources: [String]
    /// The path of the archive, if it is known at this point.
    let archive: String?
    /// The memory for a cell, if it is given.
    var cellMemory: Int?
    /// The points that an update starts from.
    var before: KeptParts?

    func run() throws -> CellJob {
        // Keeps parts until it is known whether a plan names them.
        defer { extendLifetime(points.own) }
        let survey = try points.survey()
        let fullest = try survey.counts.fullest()
        try checkMemory(CellForecast.bytes(points: fullest))
        let zooms = try zoomPlan(survey)
        let layerOptions = try recipe.layers.map { try zooms.clusterOptions(for: $0) }
        for layer in layerOptions {
            try layer.validate()
            try layer.checkCells()
            guard layer.minZoom <= layer.maxZoom else {
                throw JobError.cannotCut(
                    reason: "clusters would end at zoom \(layer.maxZoom), and tiles begin at zoom "
                        + "\(layer.minZoom), so that no zoom has clusters")
            }
        }
        let former = try formerPlan()
        let choice = try choice(survey, layerOptions, former)
        var plan = JobPlan(
            recipe: recipe, generator: options.generator, zooms, names: keys.names,
            greatestID: survey.greatestID, layers: survey.layers, choice,
            options.cells, sources: sources, content: survey.content,
            parts: points.parts)
        if let former, former.kind == plan.kind { plan.after = source(after: former) }
        plan.points = points.keptSum
        plan.before = before ?? former?.keptBefore(in: points.files.folder)
        let job = try CellJob(points.files.folder, plan, keys: keys, options: options)
        try checkMemory(CellForecast(job).bytes)
        try checkDisk(job, survey)
        try PartIndex(job).write(points.parts, points.heads, points.names)
        if plan.points != nil { try points.writeHeads() }
        guard try job.publishPlan(instead: former) else { return try goOn(instead: job) }
        if let former { job.removeAll(of: former) }
        return job
    }

    /// The job to take files from: if a later one was given up, that of the present archive, which can then be changed in place.
    private func source(after former: JobPlan) -> String {
        let folder = points.files.folder
        if let archive, let maker = former.after,
            WrittenArchive(archive, of: JobFiles(folder, job: maker)).isThere
        {
            return maker
        }
        return former.job(in: folder)
    }

    /// The present plan, if it is for the same recipe and other inputs.
    private func formerPlan() throws -> JobPlan? {
        let folder = points.files.folder
        guard !folder.isRemote, folder.has(folder.plan),
            let plan = try? JobPlan.read(in: folder), plan.answersButInputs(recipe, options),
            !plan.answers(recipe, options, sources)
        else { return nil }
        return plan
    }

    /// Another process was faster. Its plan will do if it is for the same points, whatever names or times it has.
    private func goOn(instead own: CellJob) throws -> CellJob {
        let first = try CellJob(in: own.folder, options: options)
        if first.name != own.name { UnfinishedFiles.discard(own.files.path) }
        // If the process has read its inputs itself, the plan is compared by the inputs: the names of parts
        // depend on the order of attribute names, and that on the order in which threads met them.
        guard first.plan.answers(recipe, options, sources),
            !points.own.isEmpty || first.plan.parts == points.parts
        else { throw JobError.plannedOtherwise(folder: own.folder.path) }
        return first
    }

    private func checkDisk(_ job: CellJob, _ survey: PointSurvey) throws {
        // An update writes little if most is taken over, but how little is not known beforehand.
        let isUpdate = before != nil && job.plan.after != nil
        if job.folder.isRemote || isUpdate { return }
        try DiskForecast(job.plan, survey.counts, job.layerOptions, job.zooms)
            .check(job: job.folder.path, archive: archive)
    }

    private var memoryLimit: MemoryLimit {
        MemoryLimit(allowed: options.memory, threads: options.threads)
    }

    /// If the cells are given, the forecast does not refuse the build. They take no more than all points at once.
    private func checkMemory(_ bytes: Int) throws(BuildError) {
        if options.cells.zoom != nil || cellMemory != nil { return }
        try memoryLimit.check(min(bytes, points.memoryForecast.bytes))
    }

    private func choice(
        _ survey: PointSurvey, _ layers: [ClusterOptions], _ former: JobPlan?
    ) throws -> CellChoice {
        let hierarchies = survey.layers.reduce(0) { $0 + $1.groups.count }
        let memory =
            cellMemory
            ?? max(memoryLimit.allowed, CellForecast.bytes(points: CellChoice.leastNodes, layers))
        let nodeLimit = CellForecast.mostNodes(layers, memory: memory)
        if let former,
            let kept = CellChoice(
                keeping: former, survey.counts, layers, hierarchies: hierarchies,
                nodeLimit: nodeLimit),
            kept.division.counts.allSatisfy({ $0 <= CellForecast.points(within: memory, layers) })
        {
            return kept
        }
        // In a job that stays, the cut is deep, so that a change affects few files.
        let isDeep = options.cells.folder != nil && memory >= CellChoice.leastMemoryOfLevels
        let deep = try choice(survey.counts, layers, hierarchies, memory, isDeep: isDeep)
        let isTooMuch = isDeep && deep.nodes > max(nodeLimit, CellChoice.leastNodes)
        return isTooMuch
            ? try choice(survey.counts, layers, hierarchies, memory, isDeep: false) : deep
    }

    /// - Parameter isDeep: whether cells may hand up more nodes than fit into the memory, if squares above them take these.
    private func choice(
        _ counts: PointCounts, _ layers: [ClusterOptions], _ hierarchies: Int, _ memory: Int,
        isDeep: Bool
    ) throws -> CellChoice {
        let nodeLimit = CellForecast.mostNodes(layers, memory: memory)
        let mayHaveLevels = CellChoice.mayHaveLevels(recipe, layers, options.cells)
        var choice = CellChoice(
            counts, layers, hierarchies: hierarchies, nodeLimit: isDeep ? .max : nodeLimit,
            cells: options.cells, hasLevels: mayHaveLevels && isDeep,
            leavesOut: recipe.tiles.variableDepth)
        if options.cells.zoom != nil { try choice.refuseSmallCells() }
        if options.cells.zoom == nil {
            choice = try choice.cut(
                to: memory, counts, layers, hierarchies: hierarchies, exactly: cellMemory != nil)
        }
        if mayHaveLevels {
            choice.addLevels(
                counts, layers, hierarchies: hierarchies, options.cells, nodeLimit: nodeLimit)
        }
        return choice
    }

    private func zoomPlan(_ survey: PointSurvey) throws -> ZoomPlan {
        let latitude = Occupancy.latitude(offEquator: survey.leastOffEquator)
        let bytes = survey.layers.reduce(0) { $0 + $1.recordBytes }
        var plan = try ZoomPlan(
            recipe.tiles, latitude: latitude,
            featureBytes: ZoomPlan.featureBytes(points: survey.counts.total, recordBytes: bytes)
        ) {
            Occupancy(try occupancy(survey), nearestToEquator: latitude)
        }
        for (layer, known) in zip(recipe.layers, survey.layers) {
            plan.facets[layer.name] = known.facets
        }
        return plan
    }

    /// Counts points along the curve, one stretch after another, so that few are in memory at a time.
    private func occupancy(_ survey: PointSurvey) throws -> Occupancy.Counter {
        var counter = Occupancy.Counter()
        let deep = HilbertSort.deepest
        let counted = 2 * UInt64(deep - PointCounts.zoom)
        for stretch in survey.counts.stretches(of: 1 << 23) {
            var keys: [UInt64] = []
            try points.forEachTable(on: stretch) { points, _ in
                for row in 0..<points.count {
                    let position = points.position(of: row)
                    let key = HilbertSort.key(
                        x: TileGrid.fixed(position.x), y: TileGrid.fixed(position.y), zoom: deep)
                    if stretch.contains(key >> counted) { keys.append(key) }
                }
            }
            keys.sort()
            for key in keys { counter.add(key) }
        }
        return counter
    }
}
