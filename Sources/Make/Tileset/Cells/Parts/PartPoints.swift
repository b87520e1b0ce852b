import Clustering
import Geometry
import Points
import Recipes

/// Points in parts, from which a plan is made.
struct PartPoints {
    let recipe: Recipe
    let files: PartFolder
    let keys: AttributeKeys
    let options: BuildOptions
    let parts: [String]
    var heads: [PartHead]
    /// The names of each part's attributes in the archive.
    let names: [[String]]
    /// The parts that this process has written for its plan.
    var own: [OwnPart] = []

    /// The sum by which an archive names its points, where they stay; nil if points have their
    /// numbers as ids, as these depend on the input's order.
    var keptSum: String? {
        guard files.folder.keepsFiles, !recipe.generatesIDs else { return nil }
        let blocks = heads.flatMap(\.blocks)
        return PointsSum(blocks.reduce(0) { $0 &+ ($1.sum ?? 0) }, of: blocks.pointCount).text
    }

    /// Writes the heads of parts, for later updates.
    func writeHeads() throws(JobError) {
        for (part, head) in zip(parts, heads) where !files.has(files.head(of: part)) {
            _ = try NamedHead(head).written(to: files)
        }
    }

    /// The survey of all points.
    func survey() throws -> PointSurvey {
        var survey = try PointSurvey(of: recipe)
        for head in heads { survey.add(head.survey) }
        for (layer, report) in PartReports(heads, recipe).reports.enumerated() {
            survey.layers[layer].report = report
        }
        try survey.settle(recipe, keys)
        return survey
    }

    /// Calls `body` with points as they were read, without generated ids, and with their layer.
    /// - Parameters:
    ///   - layer: the layer whose points are wanted; nil means all.
    ///   - stretch: a stretch of the Hilbert curve, in tiles of the zoom of `PointCounts`. Tables
    ///     have all points there, and others.
    func forEachTable(
        of layer: Int? = nil, on stretch: ClosedRange<UInt64> = 0...UInt64.max,
        _ body: (PointTable, _ layer: Int) throws -> Void
    ) throws {
        let own = parts.indices.filter { layer == nil || heads[$0].layer == layer }
        let wanted = own.compactMap { index in
            WantedBlocks(of: parts[index], names[index], heads[index].blocks) {
                $0.stretch.overlaps(stretch)
            }
        }
        try files.fetch(wanted)
        for part in wanted {
            let reader = try PartReader(part, in: files, keys)
            for block in part.blocks {
                try options.checkCancelled()
                try body(try reader.points(of: block), part.layer)
            }
        }
    }
}

/// Reads blocks of a part.
struct PartReader {
    private let reader: JobFileReader
    private let keys: StoredKeys

    init(
        _ blocks: WantedBlocks, in folder: PartFolder, _ keys: AttributeKeys
    ) throws(JobError) {
        try self.init(blocks.part, blocks.names, in: folder, keys)
    }

    /// - Parameter names: the attribute names that the part's numbers stand for.
    init(
        _ part: String, _ names: [String], in folder: PartFolder, _ keys: AttributeKeys
    ) throws(JobError) {
        reader = try folder.read(folder.points(of: part))
        self.keys = StoredKeys(names, in: keys)
    }

    /// - Parameter numbered: whether points have their numbers as ids, which follow them in the block.
    func points(
        of block: PartBlock, numbered: Bool = false
    ) throws(JobError) -> PointTable {
        try reader.decodeBlock(at: block.offset) { (source) throws(BlockSource.Damaged) in
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
