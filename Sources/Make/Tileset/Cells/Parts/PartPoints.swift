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
    var heads: [PartHead]
    /// The names of each part's attributes, as the archive has them.
    let names: [[String]]
    /// The parts again, where this process has written them for its plan.
    var own: [OwnPart] = []

    /// The sum by which an archive names the points, where they stay: not those that have numbers for ids, which follow
    /// from the input.
    var keptSum: String? {
        guard files.keepsFiles, !recipe.generatesIDs else { return nil }
        let blocks = heads.flatMap(\.blocks)
        return PointsSum(blocks.reduce(0) { $0 &+ ($1.sum ?? 0) }, of: blocks.pointCount).text
    }

    /// Says what is known of each part, for updates to come.
    func writeHeads() throws(JobError) {
        for (part, head) in zip(parts, heads) where !jobFolder.has(files.head(of: part)) {
            _ = try head.written(to: files)
        }
    }

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
        try self.init(blocks.part, blocks.names, in: folder, keys)
    }

    /// - Parameter names: those by whose numbers the part's records go.
    init(
        _ part: String, _ names: [String], in folder: PartFolder, _ keys: AttributeKeys
    ) throws(JobError) {
        reader = try folder.read(folder.points(of: part))
        self.keys = StoredKeys(names, in: keys)
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
