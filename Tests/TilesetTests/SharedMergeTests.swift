import Foundation
import JSON
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// PMTiles that tasks put together.
struct SharedMergeTests {
    /// Towns of thousands of points, so that there are clusters of more leaves than a block may have.
    private static func builds(
        _ seed: UInt64, leaves: Bool = true
    ) throws -> CellBuildTests.Builds {
        var random = SeededRandom(seed: seed)
        let layers = [12_000, 300].enumerated().map { index, count in
            let radius = 100 + Int64(random.next() % 200)
            let settings: JSONValue = [
                "clusters": ["radius": .integer(radius), "aggregates": ["s": "sum:n"]]
            ]
            return (SamplePoint.towns(count, seed: 10 * seed + UInt64(index)), settings)
        }
        return try CellBuildTests.Builds(
            seed % 2 == 0 ? layers : layers.reversed(),
            tiles: ["maxZoom": 5, "leaves": .bool(leaves)])
    }

    /// A job whose tiles are made.
    private static func job(
        _ builds: CellBuildTests.Builds, leavesInTask: Int, in folder: String = "job"
    ) throws -> CellBuild {
        var options = BuildOptions()
        options.cells.zoom = 2
        options.cells.leavesInTask = leavesInTask
        options.cells.folder = builds.path(folder)
        try TilesetBuild(builds.recipe, to: "", options: options).planCells()
        let cells = try CellBuild(in: builds.path(folder), options: options)
        try cells.cluster()
        try cells.top()
        try cells.tiles()
        return cells
    }

    static func expectSame(
        _ builds: CellBuildTests.Builds, _ name: String, _ other: String
    ) throws {
        let files = [name, other].map { PMTiles.outputs(at: builds.path($0)) }
        for (one, another) in zip(files[0], files[1]) {
            let bytes = FileManager.default.contents(atPath: one)
            #expect(bytes == FileManager.default.contents(atPath: another), "\(one)")
        }
    }

    @Test(arguments: [(0, true), (1, false), (2, true)])
    func `tasks of leaves and shares of bytes give the archive of one build`(
        seed: UInt64, leaves: Bool
    ) throws {
        var random = SeededRandom(seed: seed)
        let builds = try Self.builds(seed, leaves: leaves)
        let whole = try builds.build("whole.pmtiles", in: PMTiles.self)
        let cells = try Self.job(builds, leavesInTask: [1, 4_500, 100_000][Int(seed % 3)])
        let count = 1 + Int(random.next() % 5)
        let shares = (1...count).compactMap { CellBuild.Share($0, of: count) }
        for share in shares.shuffled(using: &random) { try cells.index(share) }
        let tasks = try TopClusters(of: cells.job).tasks
        #expect(tasks.count == 3 || seed % 3 != 0)
        #expect(tasks[1].open.count == 1 || seed != 0)
        #expect(tasks.count == 2 || seed % 3 != 2)
        // A share that comes twice does no harm, and the last one tells what came of all.
        let order = shares.shuffled(using: &random)
        for share in order.dropLast() + order.dropLast() {
            #expect(try cells.merge(share, to: builds.path("cut.pmtiles")) == nil)
            #expect(!FileManager.default.fileExists(atPath: builds.path("cut.pmtiles")))
        }
        let report = try cells.merge(order[count - 1], to: builds.path("cut.pmtiles"))
        #expect(report?.layers.reduce(0) { $0 + $1.points } == 12_300)
        #expect(whole.bounds != nil && report?.bounds == whole.bounds)
        #expect(whole.center != nil && report?.center == whole.center)
        try Self.expectSame(builds, "whole.pmtiles", "cut.pmtiles")
        let left = try FileManager.default.contentsOfDirectory(atPath: builds.path(""))
        #expect(!left.contains { $0.hasPrefix(".") }, "\(left)")
        // The same for a container that is written tile by tile, and for any bytes.
        _ = try builds.build("whole.mbtiles", in: MBTiles.self)
        _ = try cells.merge(to: builds.path("cut.mbtiles"), in: MBTiles.self)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
        try Self.expectBytes(of: cells, builds, using: &random)
    }

    private static func expectBytes(
        of cells: CellBuild, _ builds: CellBuildTests.Builds,
        using random: inout SeededRandom
    ) throws {
        let layout = try cells.layOut()
        let all = PMTiles.outputs(at: builds.path("whole.pmtiles")).reduce(into: [UInt8]()) {
            $0 += FileManager.default.contents(atPath: $1) ?? Data()
        }
        #expect(layout.sizes.reduce(0, +) == all.count)
        for _ in 0..<20 {
            let start = Int.random(in: 0..<all.count, using: &random)
            let end = Int.random(in: start...all.count, using: &random)
            var bytes: [UInt8] = []
            try cells.write(start..<end, of: layout) { some, _, _ in
                for index in some.indices { bytes.append(some[index]) }
            }
            #expect(bytes[...] == all[start..<end])
        }
    }

    @Test func `a job that is damaged gives no archive, or the right one where it matters no more`()
        throws
    {
        let builds = try Self.builds(7)
        _ = try builds.build("whole.pmtiles", in: PMTiles.self)
        let cells = try Self.job(builds, leavesInTask: 1)
        try cells.index()
        let files = try CellBuildTests.Files(of: cells)
        var refused = 0
        for path in files.ofTilesAndIndex {
            let whole = try #require(FileManager.default.contents(atPath: path))
            var broken = whole
            broken[broken.count / 2] ^= 1
            try broken.write(to: URL(fileURLWithPath: path))
            do {
                _ = try cells.merge(to: builds.path("cut.pmtiles"), in: PMTiles.self)
                try Self.expectSame(builds, "whole.pmtiles", "cut.pmtiles")
                for made in PMTiles.outputs(at: builds.path("cut.pmtiles")) {
                    try FileManager.default.removeItem(atPath: made)
                }
            } catch {
                refused += 1
                #expect(!FileManager.default.fileExists(atPath: builds.path("cut.pmtiles")))
            }
            try whole.write(to: URL(fileURLWithPath: path))
            try? FileManager.default.removeItem(atPath: cells.job.files.laidOut)
        }
        #expect(refused > files.ofTilesAndIndex.count / 2)
        _ = try cells.merge(to: builds.path("cut.pmtiles"), in: PMTiles.self)
        try Self.expectSame(builds, "whole.pmtiles", "cut.pmtiles")
    }

    @Test func `a share that comes when the archive has its name, or half of it, does no harm`()
        throws
    {
        let builds = try Self.builds(9)
        _ = try builds.build("whole.pmtiles", in: PMTiles.self)
        let cells = try Self.job(builds, leavesInTask: 1)
        try cells.index()
        let shares = [1, 2].compactMap { CellBuild.Share($0, of: 2) }
        let path = builds.path("cut.pmtiles")
        #expect(try cells.merge(shares[0], to: path) == nil)
        #expect(try cells.merge(shares[1], to: path) != nil)
        for share in shares { #expect(try cells.merge(share, to: path) == nil) }
        try Self.expectSame(builds, "whole.pmtiles", "cut.pmtiles")
        // One that is killed between the two names: the next one gives the other.
        let half = builds.path("half.pmtiles")
        #expect(try cells.merge(shares[0], to: half) == nil)
        let archive = try SharedPMTiles(
            path: half, job: cells.job.name, share: (2, 2), files: 2, replacesExisting: false)
        let sizes = try cells.layOut().sizes
        let total = sizes.reduce(0, +)
        try cells.write(total / 2..<total, of: cells.layOut()) {
            try archive.write($0, at: $1, ofFile: $2)
        }
        try archive.finish()
        try FileManager.default.moveItem(
            atPath: builds.path(".half.pmtiles.job-\(cells.job.name)/1"),
            toPath: builds.path("half.clusters.pmtiles"))
        #expect(try cells.merge(shares[0], to: half) != nil)
        try Self.expectSame(builds, "whole.pmtiles", "half.pmtiles")
        let left = try FileManager.default.contentsOfDirectory(atPath: builds.path(""))
        #expect(!left.contains { $0.hasPrefix(".") }, "\(left)")
    }

    @Test func `tasks do not replace an archive unless they may, and clusters never stay alone`()
        throws
    {
        let builds = try Self.builds(8)
        let cells = try Self.job(builds, leavesInTask: 1)
        try cells.index()
        let share = try #require(CellBuild.Share(1, of: 1))
        let path = builds.path("cut.pmtiles")
        try Data([1]).write(to: URL(fileURLWithPath: path))
        #expect(throws: ArchiveError.self) { _ = try cells.merge(share, to: path) }
        #expect(FileManager.default.contents(atPath: path) == Data([1]))
        #expect(!FileManager.default.fileExists(atPath: builds.path("cut.clusters.pmtiles")))
        try FileManager.default.removeItem(atPath: path)
        // Two that end at once: one gives the name, the other sees it.
        let layout = try cells.layOut()
        let archives = try (0..<2).map { _ in
            try SharedPMTiles(
                path: path, job: "x", share: (1, 1), files: 2, replacesExisting: false)
        }
        for archive in archives {
            try cells.write(0..<layout.sizes.reduce(0, +), of: layout) {
                try archive.write($0, at: $1, ofFile: $2)
            }
            try archive.finish()
            #expect(archive.isWhole)
        }
        #expect(try archives.map { try $0.publish() } == [true, false])
        _ = try builds.build("whole.pmtiles", in: PMTiles.self)
        try Self.expectSame(builds, "whole.pmtiles", "cut.pmtiles")
    }

    /// A process that had the same share and is late writes into the archive that another has named.
    @Test func `an archive that gets its own bytes once more has its name, and is not as it was`()
        throws
    {
        let builds = try Self.builds(8)
        let job = try builds.plan(zoom: 0).job
        try job.files.makeFolder("index")
        let (path, bytes) = (builds.path("cut.pmtiles"), Data("abc".utf8))
        try bytes.write(to: URL(filePath: path))
        let written = WrittenArchive(path, of: job.files)
        #expect(!written.isThere && !written.isNamed)
        try written.note()
        #expect(written.isThere && written.isNamed)
        let file = try #require(FileHandle(forWritingAtPath: path))
        usleep(20_000)
        try file.write(contentsOf: bytes)
        #expect(!written.isThere && written.isNamed)
        try file.write(contentsOf: bytes)
        #expect(!written.isThere && !written.isNamed)
        try file.close()
    }
}

extension CellBuildTests {
    /// The files of a job that a merge reads.
    struct Files {
        let ofTilesAndIndex: [String]

        init(of cells: CellBuild) throws {
            ofTilesAndIndex = try ["tiles", "index"].flatMap { folder in
                let path = cells.job.files.folder(folder)
                return try FileManager.default.contentsOfDirectory(atPath: path)
                    // The plan has been read for the index.
                    .filter { $0 != "plan" }.map { "\(path)/\($0)" }
            }.sorted()
        }
    }
}
