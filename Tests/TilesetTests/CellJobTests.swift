import Foundation
import Platform
import Synchronization
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// What a job's folder is told and tells beside the archive that comes of it.
struct CellJobTests {
    @Test func `of plans made at once the first stays, and the others go on with it`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(200, seed: 7), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 5]
        )
        _ = try builds.build("whole.mbtiles")
        var options = BuildOptions()
        options.cells.zoom = 1
        options.cells.folder = builds.path("job")
        let failures = Mutex<[String]>([])
        let (recipe, planning) = (builds.recipe, options)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            do {
                try TilesetBuild(recipe, to: "", options: planning).planCells()
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock(\.self) == [])
        _ = try CellBuildTests.files(of: builds.path("job"))
        let parts = try FileManager.default.contentsOfDirectory(atPath: builds.path("job/parts"))
        let plan = try JobPlan.read(in: JobFolder(builds.path("job")))
        #expect(parts.filter { !$0.contains(".") } == plan.parts)
        _ = try builds.build("cut.mbtiles", options.cells)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }

    @Test func `what cells took is counted, and cells that were run again`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(300, seed: 8), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 6]
        )
        #expect(try builds.build("whole.mbtiles").cells == nil)
        var cells = CellOptions()
        cells.zoom = 2
        let usual = try #require(try builds.build("usual.mbtiles", cells).cells)
        #expect(usual.cells > 4 && usual.clustered == usual.cells && usual.points == 300)
        #expect(usual.loadedPoints > 300 && usual.rounds == 1)
        cells.margin = 0
        let thin = try #require(try builds.build("thin.mbtiles", cells).cells)
        #expect(thin.widened > 0)
    }

    @Test func `a phase that comes too early names the one to run first`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(100, seed: 9), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 5]
        )
        let job = try builds.plan(zoom: 1, levelZooms: 0)
        func missing(_ step: () throws -> Void) -> String {
            do {
                try step()
            } catch JobError.missing(let phase, let cells, _) {
                return "\(phase) \(cells.count)"
            } catch {
                return "\(error)"
            }
            return "nothing"
        }
        let merge = {
            _ = try job.merge(to: builds.path("out.mbtiles"), in: MBTiles.self)
        }
        let all = try job.left(in: "cluster")
        #expect(all.count == 4 && all.reduce(0) { $0 + $1.points } == 100)
        #expect(missing(merge) == "cluster 4")
        #expect(missing { try job.top() } == "cluster 4")
        #expect(missing { try job.tiles() } == "cluster 4")
        try job.cluster()
        #expect(try job.left(in: "cluster").isEmpty)
        #expect(try job.left(in: "tiles").map(\.cell) == all.map(\.cell))
        #expect(missing(merge) == "top 1")
        #expect(missing { try job.tiles() } == "top 1")
        try job.top()
        #expect(missing(merge) == "tiles 4")
        try job.tiles()
        #expect(try job.left(in: "tiles").isEmpty)
        #expect(missing(merge) == "nothing")
    }

    @Test func `an index that is given up leaves no plan of it`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(100, seed: 9), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 5]
        )
        let job = try builds.plan(zoom: 1)
        try job.cluster()
        try job.top()
        try job.tiles()
        let name = try JobPlan.read(in: JobFolder(builds.path("job"))).job
        let plan = builds.path("job/\(name)/index/plan")
        var options = BuildOptions()
        options.isCancelled = { true }
        let given = try CellBuild(in: builds.path("job"), options: options)
        #expect(throws: BuildError.cancelled) { try given.index() }
        #expect(!FileManager.default.fileExists(atPath: plan))
        try job.index()
        #expect(FileManager.default.fileExists(atPath: plan))
    }

    @Test func `a job that does not fit the disk is refused before the work`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let forecast = DiskForecast(
            points: 1 << 40, recordBytes: 1 << 45, tileBytes: 1 << 40, isRead: false)
        let job = folder.appendingPathComponent("none/yet").path
        do {
            try forecast.check(job: job, archive: "\(job)/out.mbtiles")
            Issue.record("a petabyte fits")
        } catch JobError.diskTooSmall(let path, let needed, let free) {
            #expect(path == folder.path)
            // Tiles are not known, and are in both.
            let tiles = 2 * 218 << 40
            #expect(needed == forecast.jobBytes + forecast.archiveBytes + tiles && free < needed)
        }
        try DiskForecast(points: 1, recordBytes: 10, tileBytes: 10, isRead: true)
            .check(job: job, archive: nil)
    }

    @Test func `the disk that is named is for the whole job, whenever it is named`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        func named(_ forecast: DiskForecast) throws -> (needed: Int, free: Int) {
            let error = #expect(throws: JobError.self) {
                try forecast.check(job: folder.path, archive: nil)
            }
            guard case .diskTooSmall(_, let needed, let free)? = error else { return (0, 0) }
            return (needed, free)
        }
        let free = try Directory(folder.path).freeBytes()
        // Tiles of 152 bytes for each point, as many as there may be where points lie far apart.
        let points = free / 20
        let (records, tiles, written) = (30 * points, 152 * points, points / 10 * 462)
        let first = try named(
            DiskForecast(points: points, recordBytes: records, tileBytes: 0, isRead: false))
        let then = DiskForecast(
            points: points, recordBytes: records, tileBytes: tiles, isRead: true)
        let second = try named(then)
        #expect(first.needed >= second.needed)
        // What is written already, seven tenths of the rows, counts as free.
        let more = second.needed - then.jobBytes
        #expect(abs(more - written) < 1_000)
        let freed = second.free - first.free
        #expect(abs(freed - written) < free / 10)
    }
}
