import Foundation
import JSON
import Recipes
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// A job that goes on after its points have changed.
struct TakeOverTests {
    @Test func `what has not changed is taken over, and the archive is that of a build at once`()
        throws
    {
        var living = try LivingJob()
        #expect(try living.build().takenOver == 0)
        let first = try living.jobs
        living.points[7].place = living.points[8].place
        let second = try living.build()
        #expect(second.takenOver > second.cells / 2 && second.takenOver < second.cells)
        // The job before is gone, and so are its points.
        #expect(try living.jobs.count == 1 && living.jobs != first)
        #expect(try living.parts.count == 1)
        // In another order, which is another file.
        living.points.reverse()
        let third = try living.build(MBTiles.self)
        #expect(third.takenOver == third.cells)
        // The same once more: nothing is to be done.
        let fourth = try living.build(MBTiles.self)
        #expect(fourth == third)
    }

    @Test func `tiles, leaf blocks and trees of unchanged cells are the same files`() throws {
        var living = try LivingJob()
        _ = try living.build()
        let before = try living.inodes()
        living.points[7].properties.append(("new", .number(1)))
        _ = try living.build()
        let now = try living.inodes()
        for phase in ["cluster", "tiles"] {
            let own = now.filter { $0.key.hasPrefix(phase) }
            let shared = own.filter { before.values.contains($0.value) }
            #expect(shared.count > own.count / 2 && shared.count < own.count, "\(phase)")
        }
        #expect(
            now.filter { $0.key.hasPrefix("top") }.allSatisfy { !before.values.contains($0.value) })
    }

    @Test func `what is decided for all points has everything made again`() throws {
        var grouped = try LivingJob(["clusters": ["radius": 40, "groupBy": "kind"]])
        #expect(try grouped.build().takenOver == 0)
        grouped.points[0].properties.removeAll { $0.0 == "kind" }
        grouped.points[0].properties.append(("kind", .string("a kind of its own")))
        #expect(try grouped.build().takenOver == 0)
        grouped.points.removeLast(10)
        let after = try grouped.build()
        #expect(after.takenOver > 0 && after.takenOver < after.cells)
    }

    @Test func `many more points are cut otherwise`() throws {
        var living = try LivingJob()
        living.cells.zoom = nil
        living.points = Array(living.points.prefix(300))
        #expect(try living.build().takenOver == 0)
        living.points = SamplePoint.towns(2_000, seed: 31)
        #expect(try living.build().takenOver == 0)
        living.points.removeLast()
        #expect(try living.build().cells > 0)
    }

    @Test func `other options are refused, and other files of the same points are not`() throws {
        let living = try LivingJob()
        _ = try living.build()
        var cells = living.cells
        cells.zoom = 2
        #expect(throws: JobError.plannedOtherwise(folder: living.builds.path("job"))) {
            try living.builds.build("cut", cells, in: PMTiles.self)
        }
        let other = living.builds.path("other.geojsonl")
        try FileManager.default.copyItem(
            atPath: living.builds.path("in0.geojsonl"), toPath: other)
        var recipe = living.builds.recipe
        recipe.layers[0].sources = [other]
        var options = BuildOptions()
        options.cells = living.cells
        options.replacesExisting = true
        let report = try TilesetBuild(
            recipe, to: living.builds.path("cut"), in: PMTiles.self, options: options
        ).run()
        #expect(report.cells?.takenOver == report.cells?.cells)
        var clustered = recipe
        clustered.tiles.buffer = 21
        #expect(throws: JobError.plannedOtherwise(folder: living.builds.path("job"))) {
            try TilesetBuild(
                clustered, to: living.builds.path("cut"), in: PMTiles.self, options: options
            ).run()
        }
    }
}

extension TakeOverTests {
    /// A thousand points and their archive, whose job stays.
    private func livingInCells(seed: UInt64) throws -> LivingPoints {
        let living = try LivingPoints(
            ["tiles": ["maxZoom": 8], "layer": ["clusters": ["radius": 40]]], ending: ".pmtiles",
            seed: seed)
        for _ in 0..<1_000 { _ = living.add() }
        (living.job, living.cellZoom) = (living.path("job"), 3)
        try living.build(to: living.archive)
        return living
    }

    @Test func `an update takes over what its changes leave as it was`() throws {
        let living = try livingInCells(seed: 5)
        // Points are read anew where they are to be kept, and the rest is there.
        try living.build(to: living.path("again.pmtiles"))
        #expect(
            try living.contents(of: living.archive)
                == living.contents(of: living.path("again.pmtiles")))
        // The folder says which cells there are.
        living.cellZoom = nil
        for turn in 0..<3 {
            let id = try #require(living.someID)
            living.points[id] = living.anyPoint()
            var request = UpdateRequest()
            request.sources = [try living.write([living.line(of: id)], to: "changes.geojsonl")]
            let cells = try #require(try living.update(request).build.cells)
            #expect(cells.takenOver > 0 && cells.takenOver < cells.cells, "\(turn)")
            let job = living.job
            living.job = nil
            try living.build(to: living.path("b\(turn).pmtiles"))
            living.job = job
            #expect(
                try living.contents(of: living.archive)
                    == living.contents(of: living.path("b\(turn).pmtiles")), "\(turn)")
        }
    }

    @Test func `a damaged file that an update takes over is made anew by the next`() throws {
        let living = try livingInCells(seed: 6)
        living.cellZoom = nil
        var discarded = 0
        for turn in 0..<8 where discarded == 0 {
            let folder = try CellBuildTests.files(of: living.path("job"))
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/cluster")
            for name in names.sorted().filter({ $0.hasSuffix(".tree") }).prefix(12) {
                let url = URL(filePath: "\(folder)/cluster/\(name)")
                var data = try Data(contentsOf: url)
                data[data.count / 2] ^= 1
                try data.write(to: url)
            }
            let id = try #require(living.someID)
            living.points[id] = living.anyPoint()
            var request = UpdateRequest()
            request.sources = [try living.write([living.line(of: id)], to: "changes.geojsonl")]
            var isDone = false
            for _ in 0..<2 * names.count where !isDone {
                do {
                    _ = try living.update(request)
                    isDone = true
                } catch JobError.discarded(let path) {
                    #expect(!FileManager.default.fileExists(atPath: path))
                    discarded += 1
                }
            }
            #expect(isDone, "\(turn)")
        }
        #expect(discarded > 0)
        living.job = nil
        try living.build(to: living.path("b.pmtiles"))
        #expect(
            try living.contents(of: living.archive) == living.contents(of: living.path("b.pmtiles"))
        )
    }
}
