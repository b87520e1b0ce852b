import Foundation
import Geometry
import JSON
import PointInput
import Points
import Recipes
import TestSupport
import Testing

@testable import Clustering
@testable import Tileset

/// More points than 32 bits number. No machine here reads so many: counts, and what cells leave to the levels above, are made up,
/// and everything that is not a cell's own work is made of them.
struct ManyPointsTests {
    /// How many points lie in 3,000 tiles of the zoom that plans count in, all over the world.
    private static func counts(each: UInt32 = 1, seed: UInt64 = 41) throws -> PointCounts {
        var random = SeededRandom(seed: seed)
        let places = Set((0..<3_000).map { _ in UInt32(random.next() % (1 << 22)) }).sorted()
        var sink = BlockSink()
        sink.write(Column(places))
        sink.write(Column(places.map { _ in (1 + UInt32(random.next() % 300)) * each }))
        var source = BlockSource(sink.bytes)
        return try PointCounts(&source)
    }

    fileprivate static func recipe() throws -> Recipe {
        try Recipe(
            reading: JSONNode([
                "layers": [["name": "a", "sources": ["a.csv"]]],
                "tiles": ["maxZoom": 14, "variableDepth": false],
            ]))
    }

    /// A plan of points that were only counted.
    private static func plan(
        _ counts: PointCounts, in folder: JobFolder, memory: Int, cellMemory: Int? = nil
    ) throws -> CellJob {
        var survey = PointSurvey(facets: [[]])
        survey.counts = counts
        survey.layers[0].points = counts.total
        let recipe = try recipe()
        var options = BuildOptions()
        options.memory = memory
        (options.cells.folder, options.cells.remote) = (folder.path, RemoteFiles { _ in })
        let head = PartHead(
            layer: 0, names: [], used: [], survey: survey, report: InputReport(), blocks: [],
            rows: 0)
        let points = PartPoints(
            recipe: recipe, files: PartFolder(folder, recipe, generator: ""),
            keys: AttributeKeys(), options: options, parts: [NamedHead(head).name], heads: [head],
            names: [[]])
        return try PlanPhase(
            recipe: recipe, points: points, keys: points.keys, options: options, sources: [],
            archive: nil, cellMemory: cellMemory
        ).run()
    }

    private static func folder(_ body: (JobFolder) throws -> Void) throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(try JobFolder(folder.path, remote: RemoteFiles { _ in }))
    }

    /// Counts that are the same in every sixteenth tile.
    private static func even(_ total: Int) throws -> PointCounts {
        let tiles = 1 << 18
        var sink = BlockSink()
        sink.write(Column((0..<UInt32(tiles)).map { 16 * $0 }))
        sink.write(Column(repeating: UInt32(total / tiles), count: tiles))
        var source = BlockSource(sink.bytes)
        return try PointCounts(&source)
    }

    /// The memory for a cell may be given, or is that of the build, with or without a job that stays.
    @Test(arguments: [(1 << 32, 4 << 30), (1 << 40, 4 << 30), (1 << 32, 5 << 28)], [true, false])
    func `a plan of very many points fits into its tasks, and into the top`(
        of size: (total: Int, memory: Int), hasCellMemory: Bool
    ) throws {
        let (total, memory) = size
        try Self.folder { folder in
            let counts = try Self.even(total)
            #expect(counts.total == total)
            let job = try Self.plan(
                counts, in: folder, memory: memory, cellMemory: hasCellMemory ? memory : nil)
            #expect(job.division.counts.reduce(0, +) == total)
            #expect(job.division.counts.allSatisfy { $0 <= CellForecast.points(within: memory) })
            let layers = job.layerOptions
            let left = CellChoice.nodes(counts, layers, 1, at: job.levels.highest.cutZoom)
            #expect(Int(left) <= CellForecast.mostNodes(layers, memory: memory))
            #expect(!job.levels.above.isEmpty)
            let read = try JobPlan.read(in: folder)
            #expect(read.cells == job.plan.cells && read.leafCount == total)
        }
    }

    @Test func `more points than an archive numbers, or a tile's counter, are refused`() throws {
        var counts = try Self.counts(each: 1 << 20)
        #expect(try counts.fullest() == 300 << 20)
        let more = counts
        while counts.total <= 1 << 40 { counts.add(more) }
        counts.gather()
        let reason = "\(counts.total) points are more than an archive numbers, 2^40"
        #expect(throws: JobError.cannotCut(reason: reason)) { try counts.fullest() }
    }
}

/// A job of which cells have left one cluster for each tile in which points were counted.
private struct CountedJob {
    let folder = try? TemporaryFolder.make()
    let job: CellJob

    /// - Parameter each: by how much a cluster has more points.
    init(_ counts: PointCounts, each: Int) throws {
        let recipe = try ManyPointsTests.recipe()
        let zooms = ZoomPlan(recipe.tiles, maxZoom: 14, reason: "")
        let layers = [try zooms.clusterOptions(for: recipe.layers[0])]
        var cells = CellOptions()
        (cells.zoom, cells.levelZooms, cells.cutDepth) = (3, 1, 6)
        var choice = CellChoice(
            counts, layers, hierarchies: 1, nodeLimit: .max, cells: cells, hasLevels: true)
        choice.addLevels(counts, layers, hierarchies: 1, cells, nodeLimit: .max)
        var known = JobPlan.Layer()
        known.points = counts.total * each
        let plan = JobPlan(
            recipe: recipe, generator: "", zooms, names: [], greatestID: nil, layers: [known],
            choice, cells, sources: [], content: 0)
        let folder = try JobFolder(#require(folder).path)
        job = try CellJob(folder, plan, options: BuildOptions())
        try job.files.makeFolder("cluster")
        let tiles = counts.tiles(at: PointCounts.zoom)
        for (number, cell) in job.division.cells.enumerated() {
            try leave(tiles.filter { $0.tile.isWithin(cell) }, of: number, each)
        }
        let run = CellRun(job: job) { _ in }
        for level in job.levels.above { while try !run.cluster(level.numbers) {} }
        try TopPhase(job: job).run()
    }

    private func leave(
        _ clusters: [(tile: TileID, count: Int)], of cell: Int, _ each: Int
    ) throws {
        var (nodes, batch) = (Frontier(keys: job.keys), PointBatch())
        var records = AttributeTable(keys: job.keys)
        for (row, cluster) in clusters.enumerated() {
            let box = cluster.tile.square
            let place = WorldPoint(x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2)
            batch.append(place)
            nodes.clusters.append(
                FrontierCluster(
                    row: UInt32(row), x: place.x, y: place.y, zoom: UInt8(job.cutZoom),
                    points: cluster.count * each, weight: 0, sites: 1, clusters: 1, states: []))
            records.append([], ends: [0].span)
        }
        nodes.points.append(batch)
        let unit = FrontierUnit(
            nodes: nodes, records: records, traits: ClusterTraits(),
            below: CellNodes(keys: job.keys), clusterCount: clusters.count, heldCount: 0,
            skipped: [])
        let effort = CellFiles.Effort(
            loaded: 0, attempts: 1, ground: CellGround(margin: 0, reach: 0))
        try CellFiles(job).write([unit], UnusualIDs(), effort, of: cell, job.passLimit)
    }

    /// For each node that a cell left, where its leaves begin, cell by cell.
    func firstLeaves() throws -> [Int] {
        try job.division.cells.indices.flatMap { cell in
            let column = try CellNumbers(of: cell, job).firstLeaves[0]
            return (0..<column.count).map { column[$0] }
        }
    }

    /// How many points each of these has.
    func pointCounts() throws -> [Int] {
        try job.division.cells.indices.flatMap { cell in
            try CellFiles(job).frontier(of: cell, job.passLimit).units[0].nodes.clusters
                .map(\.points)
        }
    }

    func figures() throws -> TileFigures { try PartTiles(job.files.topTiles, job).figures }
}

extension ManyPointsTests {
    /// Sums and positions are the same but for a factor, a power of two.
    @Test func `what is above the cells numbers 2^39 points as it does half a million`() throws {
        let counts = try Self.counts()
        let factor = 1 << 20
        let few = try CountedJob(counts, each: 1)
        let many = try CountedJob(counts, each: factor)
        defer {
            for folder in [few.folder, many.folder].compactMap({ $0 }) {
                try? FileManager.default.removeItem(at: folder)
            }
        }
        let total = counts.total * factor
        #expect(total > 1 << 38 && few.job.levels.above.count > 3)
        let (firsts, points) = (try many.firstLeaves(), try many.pointCounts())
        #expect(firsts == (try few.firstLeaves()).map { $0 * factor })
        var next = 0
        for (first, count) in zip(firsts, points).sorted(by: { $0.0 < $1.0 }) {
            #expect(first == next)
            next = first + count
        }
        #expect(next == total)
        let (small, large) = (try few.figures(), try many.figures())
        #expect(large.zooms.first?.pointCount == total)
        #expect(
            large.zooms.map(\.largestCluster) == small.zooms.map { $0.largestCluster * factor })
        // Every leaf is of one task, and the tasks know all cells.
        let tasks = try TopClusters(of: many.job).tasks
        #expect(tasks.first?.leaves.lowerBound == 0 && tasks.last?.leaves.upperBound == total)
        for (one, other) in zip(tasks, tasks.dropFirst()) {
            #expect(one.leaves.upperBound == other.leaves.lowerBound)
        }
        #expect(tasks.count > 64 && Set(tasks.flatMap(\.squares)) == Set(many.job.levels.numbers))
    }
}
