import Foundation
import JSON
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// Blocks of leaves that are made along with the tiles of some cells of a job in a store.
struct LeafShareTests {
    private typealias Mirror = RemoteFileTests.Mirror

    /// A job whose top is done, and the archive that it should give.
    private static func job(
        seed: UInt64, levelZooms: Int, _ tiles: JSONObject = ["maxZoom": 6]
    ) throws -> (builds: CellBuildTests.Builds, options: BuildOptions) {
        // Tasks begin with clusters of more than 4,000 points.
        let points = SamplePoint.towns(20_000, seed: seed)
        let builds = try CellBuildTests.Builds(
            [
                (points, ["clusters": ["radius": 100]]),
                (Array(points.prefix(150)), ["clusters": ["radius": 70, "groupBy": "kind"]]),
            ], tiles: .object(tiles))
        _ = try builds.build("whole.mbtiles")
        var options = BuildOptions()
        options.cells.zoom = 2
        options.cells.levelZooms = levelZooms
        options.cells.leavesInTask = 1
        options.cells.folder = builds.path("job")
        try TilesetBuild(builds.recipe, to: "", options: options).planCells()
        let cells = try CellBuild(in: builds.path("job"), options: options)
        try cells.cluster()
        try cells.top()
        return (builds, options)
    }

    /// Does a phase in a mirror; returns the names of the files that were fetched.
    private static func run(
        _ builds: CellBuildTests.Builds, _ options: BuildOptions, in folder: String,
        _ work: (CellBuild) throws -> Void
    ) throws -> Set<String> {
        let mirror = try Mirror(of: builds.path("job"), at: builds.path(folder))
        var options = options
        options.cells.remote = mirror.files
        try work(try CellBuild(in: mirror.path, options: options))
        try mirror.giveBack()
        let paths = mirror.asked.withLock { $0.map(\.path) }
        return Set(paths.map { String($0.dropFirst(mirror.path.count)) })
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    }

    /// Makes all tiles, a random number of cells at a time.
    private static func tiles(
        _ builds: CellBuildTests.Builds, _ options: BuildOptions, _ random: inout SeededRandom
    ) throws {
        var left = try CellBuild(in: builds.path("job"), options: options).left(in: "tiles")
            .map(\.cell)
        while !left.isEmpty {
            let share = Array(left.prefix(Int.random(in: 4...14, using: &random)))
            left.removeFirst(share.count)
            _ = try run(builds, options, in: "tiles\(left.count)") {
                try $0.tiles(named: share) { _ in }
            }
        }
    }

    @Test(arguments: [(UInt64(1), 0), (2, 1), (3, 1), (4, 0)])
    func `the blocks are the same, and those of several tasks need no tree again`(
        seed: UInt64, levelZooms: Int
    ) throws {
        var random = SeededRandom(seed: seed)
        // Points drawn apart do not go with their blocks.
        let tiles: JSONObject =
            seed == 4 ? ["maxZoom": 6, "spread": 30, "heat": true] : ["maxZoom": 6]
        let (builds, options) = try Self.job(seed: seed, levelZooms: levelZooms, tiles)
        try Self.tiles(builds, options, &random)
        let made = Self.names(in: builds.path("job"))
        #expect(made.contains { $0.contains("/index/leaves-") })
        #expect(made.contains { $0.hasSuffix(".leaves") })
        var units: [String] = []
        let fetched = try Self.run(builds, options, in: "index") { cells in
            units = try cells.left(in: "index").map(\.cell)
            try cells.index(named: units) { _ in }
        }
        #expect(units.contains { $0.hasPrefix("leaves") })
        #expect(!fetched.contains { $0.hasSuffix(".tree") && !$0.contains("above") }, "\(fetched)")
        let cells = try CellBuild(in: builds.path("job"), options: options)
        _ = try cells.merge(to: builds.path("cut.mbtiles"), in: MBTiles.self)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }

    @Test(arguments: [UInt64(5), 6])
    func `what a killed task did not make comes from trees`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (builds, options) = try Self.job(seed: seed, levelZooms: 1)
        try Self.tiles(builds, options, &random)
        // Some blocks and excerpts are lost; the excerpts that are left are not for the blocks of their own cells.
        for name in Self.names(in: builds.path("job")).sorted()
        where name.contains("/index/leaves-") || name.hasSuffix(".leaves") {
            guard Bool.random(using: &random) else { continue }
            try FileManager.default.removeItem(atPath: builds.path("job/\(name)"))
        }
        let fetched = try Self.run(builds, options, in: "index") { cells in
            try cells.index(named: try cells.left(in: "index").map(\.cell)) { _ in }
        }
        #expect(fetched.contains { $0.hasSuffix(".tree") })
        let cells = try CellBuild(in: builds.path("job"), options: options)
        _ = try cells.merge(to: builds.path("cut.mbtiles"), in: MBTiles.self)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }
}
