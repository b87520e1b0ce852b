import Foundation
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// Steps of a job that are asked for by name, and what is said of each.
struct CellStepTests {
    private typealias Builds = CellBuildTests.Builds

    private static func builds() throws -> Builds {
        try Builds(
            [
                (SamplePoint.towns(300, seed: 21), ["clusters": ["radius": 40]]),
                (SamplePoint.towns(50, seed: 22), ["clusters": ["radius": 60]]),
            ], tiles: ["maxZoom": 6])
    }

    private static func names(_ cells: CellBuild) -> [String] {
        cells.job.division.cells.map(\.cellName)
    }

    @Test func `clustering tells of each cell its points, those around it, and its nodes`() throws {
        let builds = try Self.builds()
        let cells = try builds.plan(zoom: 2)
        let job = cells.job
        let names = Self.names(cells)
        // In the order in which they are asked for.
        let asked = Array(names.reversed())
        var told: [CellOutcome] = []
        #expect(try cells.cluster(named: asked) { told.append($0) })
        #expect(told.map(\.cell) == asked && told.allSatisfy(\.isNew))
        #expect(told.map(\.points) == job.division.counts.reversed())
        #expect(told.reduce(0) { $0 + $1.points } == 350)
        let figures = try cells.status().figures
        #expect(told.reduce(0) { $0 + $1.loadedPoints } == figures.loadedPoints)
        #expect(figures.loadedPoints > 350 && figures.points == 350)
        #expect(told.allSatisfy { $0.loadedPoints >= $0.points })
        #expect(told.filter { $0.attempts > 1 }.count == figures.widened)
        for (outcome, cell) in zip(told, names.indices.reversed()) {
            let file = try TreeFile(of: cell, job.passLimit, job)
            let nodes = try file.units.indices.map { try file.nodes(of: $0) }
            let count = nodes.reduce(0) { $0 + $1.points.count + $1.nodes.firsts.count }
            #expect(outcome.nodes == count, "\(outcome.cell)")
        }
        var again: [CellOutcome] = []
        #expect(try cells.cluster(named: asked) { again.append($0) })
        #expect(again.allSatisfy { !$0.isNew })
        #expect(again.map(\.nodes) == told.map(\.nodes))
        #expect(again.map(\.loadedPoints) == told.map(\.loadedPoints))
    }

    @Test func `cells that look further are told with how often they did`() throws {
        let builds = try Self.builds()
        var options = BuildOptions()
        (options.cells.zoom, options.cells.margin) = (2, 0)
        options.cells.folder = builds.path("job")
        try TilesetBuild(builds.recipe, to: "", options: options).planCells()
        let cells = try CellBuild(in: builds.path("job"), options: options)
        var told: [CellOutcome] = []
        #expect(try cells.cluster(named: Self.names(cells)) { told.append($0) })
        let widened = told.filter { $0.attempts > 1 }
        #expect(!widened.isEmpty && told.allSatisfy { (1...20).contains($0.attempts) })
        #expect(try cells.status().figures.widened == widened.count)
    }

    @Test func `where a zoom takes more passes all cells are begun again, and rounds are counted`()
        throws
    {
        let builds = try Builds(
            [(SamplePoint.towns(2_000, seed: 23), ["clusters": ["radius": 80]])],
            tiles: ["maxZoom": 6])
        var options = BuildOptions()
        (options.cells.zoom, options.cells.passLimit) = (1, 1)
        options.cells.folder = builds.path("job")
        try TilesetBuild(builds.recipe, to: "", options: options).planCells()
        let cells = try CellBuild(in: builds.path("job"), options: options)
        var rounds = 1
        while try !cells.cluster(named: Self.names(cells), tell: { _ in }) {
            rounds += 1
            let figures = try cells.status().figures
            #expect(figures.rounds == rounds && figures.passLimit == 1 << (rounds - 1))
            #expect(figures.clustered == 0)
        }
        #expect(rounds > 1)
        #expect(try cells.status().figures.rounds == rounds)
        try cells.top()
        try cells.tiles()
        _ = try cells.merge(to: builds.path("cut.mbtiles"), in: MBTiles.self)
        _ = try builds.build("whole.mbtiles")
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }

    @Test func `tiles and units of the index are told of, new or not, and counted`() throws {
        let builds = try Self.builds()
        let cells = try builds.plan(zoom: 1, levelZooms: 0)
        let names = Self.names(cells)
        #expect(throws: JobError.self) { try cells.tiles(named: names) { _ in } }
        try cells.cluster()
        let early = #expect(throws: JobError.self) { try cells.tiles(named: names) { _ in } }
        #expect(
            early == .missing(phase: "top", cells: ["the top"], folder: builds.path("job")))
        try cells.top()
        var told: [CellOutcome] = []
        try cells.tiles(named: [names[2]]) { told.append($0) }
        #expect(try cells.status().tiled == 1)
        #expect(try cells.left(in: "tiles").map(\.cell) == names.filter { $0 != names[2] })
        try cells.tiles(named: names) { told.append($0) }
        #expect(told.map(\.cell) == [names[2]] + names)
        #expect(told.map(\.isNew) == [true] + names.map { $0 != names[2] })
        #expect(told.dropFirst().map(\.points) == cells.job.division.counts)
        let left = try cells.left(in: "index")
        #expect(left.map(\.cell) == ["leaves-0", "leaves-1"] && left.map(\.points) == [300, 50])
        var units: [CellOutcome] = []
        try cells.index(named: ["leaves-1"]) { units.append($0) }
        #expect(try cells.left(in: "index").map(\.cell) == ["leaves-0"])
        #expect(try cells.status().indexed.map { [$0.done, $0.all] } == [1, 2])
        try cells.index(named: ["leaves-0", "leaves-1"]) { units.append($0) }
        #expect(units.map(\.cell) == ["leaves-1", "leaves-0", "leaves-1"])
        #expect(units.map(\.isNew) == [true, true, false] && units.map(\.points) == [50, 300, 50])
        #expect(try cells.left(in: "index").isEmpty)
    }

    @Test func `how far a job is follows its phases`() throws {
        let builds = try Self.builds()
        let cells = try builds.plan(zoom: 1, levelZooms: 0)
        let all = Self.names(cells).count
        func expect(
            _ next: String, clustered: Int, top: Bool, tiled: Int, indexed: [Int]? = nil
        ) throws {
            let status = try cells.status()
            #expect(status.next == next && status.points == 350)
            #expect(status.figures.clustered == clustered && status.figures.cells == all)
            #expect(status.figures.cutZoom == cells.job.cutZoom && status.isTopDone == top)
            #expect(status.tiled == tiled && status.indexed.map { [$0.done, $0.all] } == indexed)
        }
        try expect("cluster", clustered: 0, top: false, tiled: 0)
        _ = try cells.cluster(named: [Self.names(cells)[1]]) { _ in }
        #expect(try cells.status().figures.points == cells.job.division.counts[1])
        try expect("cluster", clustered: 1, top: false, tiled: 0)
        try cells.cluster()
        try expect("top", clustered: all, top: false, tiled: 0)
        try cells.top()
        try expect("tiles", clustered: all, top: true, tiled: 0)
        try cells.tiles()
        try expect("index", clustered: all, top: true, tiled: all)
        try cells.index(CellBuild.Share(1, of: 2))
        try expect("index", clustered: all, top: true, tiled: all, indexed: [1, 2])
        try cells.index()
        try expect("merge", clustered: all, top: true, tiled: all, indexed: [2, 2])
    }

    @Test func `what has no such name is refused by it`() throws {
        let builds = try Self.builds()
        let cells = try builds.plan(zoom: 1, levelZooms: 0)
        let folder = builds.path("job")
        for name in ["1-0", "9-0-0", ""] {
            #expect(throws: JobError.noCell(name, folder: folder)) {
                _ = try cells.cluster(named: [name]) { _ in }
            }
        }
        try cells.cluster()
        try cells.top()
        try cells.tiles()
        #expect(throws: JobError.noCell("1-2-0", folder: folder)) {
            try cells.tiles(named: ["1-2-0"]) { _ in }
        }
        for name in ["leaves-2", "tiles-0", "leaves", "leaves--1", "leaves-0-0", "x-0", "leaves-x"]
        {
            #expect(throws: JobError.noCell(name, folder: folder)) {
                try cells.index(named: [name]) { _ in }
            }
        }
    }

    @Test func `an error says in which cell it was met, but that a run is stopped it does not`()
        throws
    {
        let builds = try Self.builds()
        let cells = try builds.plan(zoom: 1, levelZooms: 0)
        let name = Self.names(cells)[0]
        for part in cells.job.plan.parts {
            try FileManager.default.removeItem(atPath: builds.path("job/parts/\(part)"))
        }
        let error = #expect(throws: JobError.self) {
            _ = try cells.cluster(named: [name]) { _ in }
        }
        guard case .inCell(name, "cluster", let problem)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.contains(builds.path("job/parts/")))
        var options = BuildOptions()
        options.isCancelled = { true }
        let stopped = try CellBuild(in: builds.path("job"), options: options)
        #expect(throws: BuildError.cancelled) {
            _ = try stopped.cluster(named: [name]) { _ in }
        }
    }

    @Test func `a share has the pieces whose middle lies in it, by their weights`() {
        for seed in 0..<40 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let weights = (0..<Int(random.next() % 30)).map { _ in
                random.next() % 3 == 0 ? 0 : Int(random.next() % 1_000)
            }
            let count = 1 + Int(random.next() % 9)
            let total = weights.reduce(0) { $0 + $1 + 1 }
            var (expected, before) = ([[Int]](repeating: [], count: count), 0)
            for (piece, weight) in weights.enumerated() {
                let middle = before + (weight + 1) / 2
                // The share in whose part of all work the middle lies.
                let share = (0..<count).last { middle * count >= $0 * total } ?? 0
                expected[share].append(piece)
                before += weight + 1
            }
            let found = (1...count).map { task in
                CellBuild.Share(task, of: count)?.pick(Array(weights.indices), weights: weights)
            }
            #expect(found == expected, "\(seed)")
        }
        for (task, count) in [(0, 3), (4, 3), (1, 0), (-1, -1), (1, 1_000_001)] {
            #expect(CellBuild.Share(task, of: count) == nil)
        }
        #expect(CellBuild.Share(1_000_000, of: 1_000_000)?.task == 1_000_000)
        #expect(CellBuild.Share(3, of: 7)?.count == 7)
    }
}
