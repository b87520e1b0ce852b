import Points
import PointInput
import Recipes

/// Points that a store took while they were read; each cell gets a file of its own.
struct StoredPoints: PlannedPoints {
    let recipe: Recipe
    let store: PointStore
    let reports: [InputReport]
    let options: BuildOptions
    var parts: [String] { [] }

    func folder() throws(JobError) -> JobFolder { try store.folder() }

    func survey() throws -> PointSurvey {
        var survey = try PointSurvey(of: recipe)
        for (index, report) in reports.enumerated() { survey.layers[index].report = report }
        var numbers = recipe.layers.map { _ in 0 }
        for block in store.blocks {
            try options.checkCancelled()
            let points = try points(of: block, &numbers)
            let clusters = recipe.layers[block.layer].clusters?.options
            survey.add(
                points, layer: block.layer, groupBy: clusters?.groupBy,
                wraps: clusters?.wrap ?? true, sum: block.sum)
        }
        try survey.settle(recipe, store.keys)
        return survey
    }

    func forEachTable(
        on stretch: ClosedRange<UInt64>, _ body: (PointTable) throws -> Void
    ) throws {
        for block in store.blocks {
            try options.checkCancelled()
            try body(try store.points(of: block))
        }
    }

    /// Writes each point to its cell, and to those in whose margin it lies.
    func place(for job: CellJob) throws {
        try job.files.makeFolder("points")
        var spools = try CellSpools(job)
        var numbers = recipe.layers.map { _ in 0 }
        for block in store.blocks {
            try options.checkCancelled()
            try spools.add(try points(of: block, &numbers), layer: block.layer)
        }
        try spools.finish()
        store.remove()
    }

    /// Points of a block, with the ids that are made for them where they have none.
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
}
