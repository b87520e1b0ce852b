import PointInput
import Points
import Recipes

extension TilesetBuild {
    /// Whether the points stay in the folder of the job. Points with their numbers as ids are kept
    /// in the order of the input instead.
    var keepsPointsInJob: Bool {
        keeper != nil && options.cells.stays && !recipe.generatesIDs
    }

    /// The job of an update whose points are in a job's folder.
    func changedJob(
        _ update: UpdateInput, _ kept: KeptParts, _ clock: inout StageClock
    ) throws -> CellJob {
        let memory = MemoryLimit(allowed: options.memory, threads: options.threads)
        let points: PartPoints
        do {
            points = try clock.time(.read) { try changedPoints(update, kept, within: memory) }
        } catch JobError.damaged(let path) {
            throw UpdateError.damaged(file: path)
        } catch InputError.cancelled {
            try memory.checkExceeded()
            throw BuildError.cancelled
        }
        try begin(.plan)
        return try clock.time(.plan) {
            try PlanPhase(
                recipe: recipe, points: points, keys: points.keys, options: options,
                sources: sources, archive: path, before: kept
            ).run()
        }
    }

    /// The points after the changes; only blocks that change are read.
    private func changedPoints(
        _ update: UpdateInput, _ kept: KeptParts, within memory: MemoryLimit
    ) throws -> PartPoints {
        let (all, files) = try known(kept.parts)
        let parts = zip(all, try heads(of: all, in: files)).map { (name: $0, head: $1) }
        let own = parts.filter { $0.head.layer == update.layer }
        let keys = AttributeKeys()
        for name in own.flatMap(\.head.names) { _ = keys.intern(name) }
        var (changes, report) = try readChanges(
            update.request, of: recipe.layers[update.layer], update.kinds, keys, within: memory)
        let changed = try PartChanges(
            files: files, recipe: recipe, options: options, layer: update.layer, keys: keys
        ).apply(&changes, by: update.request.identity, to: own)
        update.tell(changes, report)
        let others = parts.filter { $0.head.layer != update.layer }
        var points = try points(of: others + changed.parts, in: files)
        points.own = changed.own
        for index in points.heads.indices {
            points.heads[index].report = InputReport(ofKept: points.heads[index].blocks.pointCount)
        }
        return points
    }
}
