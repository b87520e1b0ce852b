import Foundation
import JSON
import Recipes
import Synchronization
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// A job that goes on after its points have changed.
struct TakeOverTests {
    private static let settings: JSONValue = [
        "clusters": ["radius": 40, "aggregates": ["n": "sum:n"]]
    ]

    /// Some points all over the world, and a job of them.
    fileprivate struct Living {
        let builds: CellBuildTests.Builds
        var points: [SamplePoint]
        var cells = CellOptions()

        init(_ settings: JSONValue = TakeOverTests.settings, zoom: Int = 3) throws {
            points = SamplePoint.towns(2_000, seed: 31)
            builds = try CellBuildTests.Builds(
                [(points, settings)], tiles: ["maxZoom": 8, "variableDepth": false])
            cells.zoom = zoom
            cells.folder = builds.path("job")
        }

        func write() throws {
            try points.map(\.line).joined(separator: "\n").write(
                toFile: builds.path("in0.geojsonl"), atomically: true, encoding: .utf8)
        }

        /// Builds by the job and at once; both are to be the same.
        func build(_ container: any ArchiveContainer.Type = PMTiles.self) throws -> CellFigures {
            try write()
            let report = try builds.build("cut", cells, in: container)
            _ = try builds.build("whole", in: container)
            for (one, other) in zip(
                container.outputs(at: builds.path("cut")),
                container.outputs(at: builds.path("whole")))
            {
                let bytes = FileManager.default.contents(atPath: one)
                #expect(bytes == FileManager.default.contents(atPath: other), "\(one)")
            }
            return try #require(report.cells)
        }

        func size(_ path: String) throws -> Int { try Data(contentsOf: URL(filePath: path)).count }

        var parts: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: builds.path("job/parts"))
            }
        }

        var jobs: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: builds.path("job"))
                    .filter { $0 != "parts" && $0 != "plan.json" }
            }
        }
    }

    @Test func `what has not changed is taken over, and the archive is that of a build at once`()
        throws
    {
        var living = try Living()
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
        var living = try Living()
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
        var grouped = try Living(["clusters": ["radius": 40, "groupBy": "kind"]])
        #expect(try grouped.build().takenOver == 0)
        grouped.points[0].properties.removeAll { $0.0 == "kind" }
        grouped.points[0].properties.append(("kind", .string("a kind of its own")))
        #expect(try grouped.build().takenOver == 0)
        grouped.points.removeLast(10)
        let after = try grouped.build()
        #expect(after.takenOver > 0 && after.takenOver < after.cells)
    }

    @Test func `many more points are cut otherwise`() throws {
        var living = try Living()
        living.cells.zoom = nil
        living.points = Array(living.points.prefix(300))
        #expect(try living.build().takenOver == 0)
        living.points = SamplePoint.towns(2_000, seed: 31)
        #expect(try living.build().takenOver == 0)
        living.points.removeLast()
        #expect(try living.build().cells > 0)
    }

    @Test func `other options are refused, and other files of the same points are not`() throws {
        let living = try Living()
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

    @Test func `nothing goes but what the job before has written`() throws {
        var living = try Living()
        _ = try living.build()
        let job = try #require(try living.jobs.first)
        // Names of years are hexadecimal numbers too.
        for path in ["job/2024", "job/\(job)/mine"] {
            try FileManager.default.createDirectory(
                atPath: living.builds.path(path), withIntermediateDirectories: true)
        }
        living.points.removeFirst()
        _ = try living.build()
        #expect(FileManager.default.fileExists(atPath: living.builds.path("job/2024")))
        #expect(FileManager.default.fileExists(atPath: living.builds.path("job/\(job)/mine")))
        #expect(!FileManager.default.fileExists(atPath: living.builds.path("job/\(job)/tiles")))
    }

    @Test func `a plan that nothing came of takes nothing away`() throws {
        var living = try Living()
        _ = try living.build()
        for _ in 0..<2 {
            living.points.removeFirst()
            try living.write()
            _ = try living.builds.plan(zoom: 3)
        }
        living.points.removeFirst()
        let after = try living.build()
        #expect(after.takenOver > after.cells / 2)
        #expect(try living.jobs.count == 1)
    }

    @Test func `many that plan anew at once have one plan`() throws {
        var living = try Living()
        _ = try living.build()
        living.points.removeFirst()
        try living.write()
        let builds = living.builds
        let names = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let name = Result { try builds.plan(zoom: 3).job.name }
            names.withLock { $0.append((try? name.get()) ?? "\(name)") }
        }
        let found = names.withLock(\.self)
        #expect(found.count == 4 && Set(found).count == 1, "\(found)")
        #expect(try living.parts.count == 1)
        let figures = try living.build()
        #expect(figures.takenOver > figures.cells / 2)
    }

    @Test func `what was taken over damaged is made anew once it is removed`() throws {
        var living = try Living()
        _ = try living.build()
        let job = try #require(try living.jobs.first)
        let folder = living.builds.path("job/\(job)")
        let tree = try #require(
            try FileManager.default.contentsOfDirectory(atPath: "\(folder)/cluster")
                .filter { $0.hasSuffix(".tree") }.max {
                    try living.size("\(folder)/cluster/\($0)")
                        < living.size("\(folder)/cluster/\($1)")
                })
        // Behind the front, which alone is read to know what a file follows from.
        for path in ["cluster/\(tree)", "tiles/\(tree.prefix { $0 != "." })"] {
            var bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(path)"))
            bytes[200] ^= 1
            try bytes.write(to: URL(filePath: "\(folder)/\(path)"))
        }
        // One that is far from that cell, which is 45 degrees wide, goes.
        let column = try #require(Int(tree.split(separator: "-")[1]))
        let middle = Double(column) * 45 - 157.5
        let far = try #require(
            living.points.firstIndex { (90...270).contains(abs($0.place.longitude - middle)) })
        living.points.remove(at: far)
        var found: [String] = []
        while found.count < 5 {
            do throws(any Error) {
                _ = try living.build()
                break
            } catch JobError.damaged(let path) {
                found.append(path)
                try FileManager.default.removeItem(atPath: path)
            }
        }
        #expect(!found.isEmpty && Set(found).count == found.count && found.count < 3, "\(found)")
    }

    @Test func `of a job before that is damaged or gone nothing is taken`() throws {
        var living = try Living()
        _ = try living.build()
        let job = try #require(try living.jobs.first)
        let cluster = living.builds.path("job/\(job)/cluster")
        for name in try FileManager.default.contentsOfDirectory(atPath: cluster) {
            try Data("covey cells".utf8).write(to: URL(filePath: "\(cluster)/\(name)"))
        }
        living.points.removeFirst()
        #expect(try living.build().takenOver == 0)
    }
}

extension TakeOverTests {
    @Test func `an update takes over what its changes leave as it was`() throws {
        let living = try LivingPoints(
            ["tiles": ["maxZoom": 8], "layer": ["clusters": ["radius": 40]]], ending: ".pmtiles",
            seed: 5)
        for _ in 0..<1_000 { _ = living.add() }
        (living.job, living.cellZoom) = (living.path("job"), 3)
        try living.build(to: living.archive)
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
}

extension TakeOverTests.Living {
    /// Of each file of the job which one it is.
    fileprivate func inodes() throws -> [String: UInt64] {
        let folder = try CellBuildTests.files(of: builds.path("job"))
        var inodes: [String: UInt64] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            inodes[path] = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
        }
        return inodes
    }
}
