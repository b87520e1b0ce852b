import ArchiveContract
import Foundation
import Geometry
import JSON
import Recipes
import TestSupport
import Testing

@testable import Tileset

/// What is said of points whose ids clusters may have, and of how much memory a job's points take.
struct IDLimitTests {
    private static func build(
        _ ids: [UInt64], zoom: Int?
    ) throws -> BuildReport {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appending(path: "in.csv")
        let lines = ids.enumerated().map { "\($1),\(10 + Double($0) / 100),20" }
        try Data((["id,lon,lat"] + lines).joined(separator: "\n").utf8).write(to: input)
        let recipe = try Recipe(
            reading: JSONNode([
                "tiles": ["maxZoom": 3],
                "layers": [["name": "a", "sources": [.string(input.path)], "id": "id"]],
            ]))
        var options = BuildOptions()
        (options.cells.zoom, options.temporaryDirectory) = (zoom, folder.path)
        return try TilesetBuild(
            recipe, to: folder.appending(path: "a.mbtiles").path, options: options
        ).run()
    }

    @Test(arguments: [nil, 1])
    func `ids from the least that a cluster has may be those of clusters`(zoom: Int?) throws {
        let least = UInt64(PlaceID.least)
        for (ids, may) in [
            ([1, least - 1], false), ([1, least], true), ([least + 5, 2], true),
            ([1, 2, 3], false),
        ] {
            let report = try Self.build(ids, zoom: zoom)
            #expect(report.clusterIDsMayEqualPointIDs == may, "\(ids)")
            #expect(report.layers[0].points == ids.count)
        }
    }

    @Test func `parts in memory take a place, an id and a record for each point`() throws {
        let builds = try CellBuildTests.Builds(
            [
                (SamplePoint.towns(90, seed: 3), ["clusters": ["radius": 40]]),
                (SamplePoint.towns(30, seed: 4), ["clusters": ["radius": 40]]),
            ], tiles: ["maxZoom": 3])
        let job = try builds.plan(zoom: 1).job
        var options = BuildOptions()
        options.cells.folder = builds.path("job")
        let build = TilesetBuild(builds.recipe, to: "", options: options)
        let points = try build.points(inParts: job.plan.parts)
        let records = job.plan.layers.reduce(0) { $0 + $1.recordBytes }
        #expect(records > 1_000)
        let expected = MemoryForecast(points: 120, tableBytes: 120 * 24 + records).bytes
        #expect(points.memoryForecast.bytes == expected)
        // What does not fit is not begun.
        options.memory = expected - 1
        let name = builds.path("a.mbtiles")
        let tight = TilesetBuild(builds.recipe, to: name, options: options)
        #expect(try tight.runParts(job.plan.parts) == nil)
        #expect(!FileManager.default.fileExists(atPath: name))
        options.memory = nil
        let report = try TilesetBuild(builds.recipe, to: name, options: options)
            .runParts(job.plan.parts)
        #expect(report?.layers.map(\.points) == [90, 30])
        _ = try builds.build("whole.mbtiles")
        #expect(try builds.areSame("whole.mbtiles", "a.mbtiles"))
    }

    @Test func `a job takes the memory of its fullest cell, or of what is handed up`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(400, seed: 3), ["clusters": ["radius": 40]])],
            tiles: ["maxZoom": 5])
        for zoom in [0, 2] {
            var options = BuildOptions()
            options.cells.zoom = zoom
            options.cells.folder = builds.path("job\(zoom)")
            try TilesetBuild(builds.recipe, to: "", options: options).planCells()
            let job = try CellBuild(in: builds.path("job\(zoom)"), options: options).job
            let fullest = try #require(job.plan.counts.max())
            #expect(job.plan.expectedNodes > 0)
            #expect(
                CellForecast(job).bytes
                    == (160 << 20) + max(400 * fullest, 200 * job.plan.expectedNodes))
        }
    }

    @Test func `pieces of work come one after another, and the last is what is left`() {
        let pieces = PieceCounter(total: 10, size: 4)
        #expect([pieces.next(), pieces.next(), pieces.next()] == [0..<4, 4..<8, 8..<10])
        #expect(pieces.next() == nil && pieces.next() == nil)
        #expect(PieceCounter(total: 0, size: 4).next() == nil)
        #expect(PieceCounter(total: 4, size: 4).next() == 0..<4)
    }

    @Test func `a stage that comes again has the time of both`() throws {
        var clock = StageClock()
        let start = clock.now
        clock.note(.tiles, since: start.advanced(by: .seconds(-3)))
        clock.note(.leaves, since: start.advanced(by: .milliseconds(-1_250)))
        clock.note(.tiles, since: start.advanced(by: .seconds(-4)))
        let answer = clock.time(.plan) { 7 }
        #expect(answer == 7 && clock.stages.map(\.stage) == [.tiles, .leaves, .plan])
        let seconds = clock.stages.map(\.seconds)
        #expect((7..<8).contains(seconds[0]) && (1.25..<2).contains(seconds[1]))
        #expect((0..<1).contains(seconds[2]))
    }
}
