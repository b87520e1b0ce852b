import Clustering
import Geometry
import Points
import TestSupport
import Testing

@testable import Tileset

/// When the cells of a job before are kept, and which cell is told of where one is too heavy.
struct KeptCellTests {
    private let builds: CellBuildTests.Builds
    /// A plan of points in cells of zoom 2.
    private let plan: JobPlan
    private let options: [ClusterOptions]
    private let points: [WorldPoint]

    init() throws {
        let samples = SamplePoint.towns(200, seed: 13)
        points = samples.map { WorldPoint($0.place) }
        builds = try CellBuildTests.Builds(
            [(samples, ["clusters": ["radius": 40]])], tiles: ["minZoom": 1, "maxZoom": 8])
        let job = try builds.plan(zoom: 2).job
        (plan, options) = (job.plan, job.layerOptions)
    }

    private static func counts(_ points: [WorldPoint], times: Int = 1) -> PointCounts {
        var counts = PointCounts()
        let all = (0..<times).flatMap { _ in points }
        counts.add(Column(all.map(\.x)).span, Column(all.map(\.y)).span, wraps: true)
        return counts
    }

    private func kept(
        _ counts: PointCounts, nodeLimit: Int = .max,
        _ change: (inout ClusterOptions) -> Void = { _ in }
    ) -> CellChoice? {
        var options = options
        change(&options[0])
        return CellChoice(
            keeping: plan, counts, options, hierarchies: 1, nodeLimit: nodeLimit)
    }

    @Test func `cells stay with the points that lie in them now, up to twice as many`() throws {
        #expect(plan.cutZoom == 6 && plan.cells.count > 10)
        let same = try #require(kept(Self.counts(points)))
        #expect(same.division.cells == plan.cells && same.division.counts == plan.counts)
        #expect(same.cutZoom == plan.cutZoom && same.nodes == plan.expectedNodes)
        let twice = try #require(kept(Self.counts(points, times: 2)))
        #expect(twice.division.counts == plan.counts.map { 2 * $0 })
        #expect(kept(Self.counts(points + points + [points[0]])) == nil)
        #expect(kept(Self.counts([points[0]]))?.division.counts.reduce(0, +) == 1)
    }

    @Test func `the cut has to be at a zoom with clusters`() {
        for (least, last, isKept) in [(6, 7, true), (1, 6, true), (7, 7, false), (1, 5, false)] {
            let choice = kept(Self.counts(points)) { ($0.minZoom, $0.maxZoom) = (least, last) }
            #expect((choice != nil) == isKept, "\(least) \(last)")
        }
    }

    /// A plan of so many points, cut by where some of them lie.
    private func plan(_ counts: PointCounts, leafCount: Int) -> JobPlan {
        var layer = JobPlan.Layer()
        layer.points = leafCount
        var cells = CellOptions()
        cells.zoom = 1
        let choice = CellChoice(
            counts, options, hierarchies: 1, nodeLimit: 0, cells: cells)
        return JobPlan(
            recipe: plan.recipe, generator: "g",
            ZoomPlan(plan.recipe.tiles, maxZoom: 8, reason: ""), names: [], greatestID: nil,
            layers: [layer], choice, cells, sources: [], content: 0)
    }

    @Test func `no cell may have many more points than the fullest had`() {
        let place = WorldPoint(x: 0.3, y: 0.3)
        for (before, most) in [(0, 65_536), (32_768, 65_536), (40_000, 80_000)] {
            let former = plan(Self.counts([place], times: before), leafCount: 100_000)
            #expect(former.counts.max() == before)
            for (count, isKept) in [(most, true), (most + 1, false)] {
                let choice = CellChoice(
                    keeping: former, Self.counts([place], times: count), options, hierarchies: 1,
                    nodeLimit: .max)
                #expect((choice != nil) == isKept, "\(before) \(count)")
            }
        }
    }

    @Test func `nodes at the cut have to fit the memory, where they are many`() throws {
        var random = SeededRandom(seed: 2)
        let many = (0..<70_000).map { _ in WorldPoint(x: random.unit(), y: random.unit()) }
        let counts = Self.counts(many)
        let former = plan(counts, leafCount: 70_000)
        #expect(former.cells.count == 4)
        for (radius, isMany) in [(1.0, true), (400, false)] {
            var options = options
            options[0].radius = Radius(radius)
            let nodes = Int(CellChoice.nodes(counts, options, 1, at: former.cutZoom))
            #expect((nodes > 65_600) == isMany)
            for limit in [nodes, nodes - 1, 0] {
                let choice = CellChoice(
                    keeping: former, counts, options, hierarchies: 1, nodeLimit: limit)
                #expect((choice != nil) == (!isMany || limit == nodes), "\(limit) of \(nodes)")
            }
        }
    }

    @Test func `of several that are too heavy the fullest is told, with what it needs`() throws {
        let (one, other) = (WorldPoint(x: 0.1, y: 0.1), WorldPoint(x: 0.9, y: 0.9))
        for (counts, most) in [([900, 700], 600), ([700, 900], 600), ([601, 601], 600)] {
            let all =
                Array(repeating: one, count: counts[0]) + Array(repeating: other, count: counts[1])
            let point = counts[1] > counts[0] ? other : one
            let choice = CellChoice(
                Self.counts(all), options, hierarchies: 1, nodeLimit: .max, cells: CellOptions())
            let memory = CellForecast.bytes(points: most)
            let error = #expect(throws: JobError.self) {
                _ = try choice.cut(to: memory, Self.counts(all), options, hierarchies: 1)
            }
            guard case .cellTooHeavy(let cell, let points, let needed, memory)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(points == counts.max() && needed == CellForecast.bytes(points: points))
            let numbers = cell.split(separator: "-").compactMap { UInt32($0) }
            let tile = TileID(z: UInt8(numbers[0]), x: numbers[1], y: numbers[2])
            if counts[0] != counts[1] { #expect(TileID(holding: point, zoom: tile.z) == tile) }
        }
    }

    @Test func `a job that goes on asks for the cells that it was asked for`() throws {
        var cells = CellOptions()
        (cells.zoom, cells.margin) = (7, 9.5)
        try cells.cutAsBefore()
        #expect(cells.zoom == 7 && cells.margin == 9.5)
        cells.folder = builds.path("nowhere")
        try cells.cutAsBefore()
        #expect(cells.zoom == 7)
        cells.folder = builds.path("job")
        try cells.cutAsBefore()
        #expect(cells.zoom == 2 && cells.margin == nil)
        #expect(cells.isForced)
    }
}
