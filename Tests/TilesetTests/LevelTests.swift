import Clustering
import Foundation
import Geometry
import Points
import TestSupport
import JSON
import TileArchive
import Testing

@testable import Tileset

/// Squares above the cells: clustered level by level, each part of the world by itself.
struct LevelTests {
    /// Points all over the world, small cells, and levels of one zoom each.
    private static func living(_ settings: JSONValue, levelZooms: Int = 1) throws -> LivingJob {
        var living = try LivingJob(settings, zoom: 5)
        living.cells.levelZooms = levelZooms
        living.cells.cutDepth = 2
        return living
    }

    private static func job(_ living: LivingJob) throws -> CellJob {
        var options = BuildOptions()
        options.cells = living.cells
        return try CellJob(in: JobFolder(living.builds.path("job")), options: options)
    }

    @Test func `levels lie above each other and every square within one of the level above`() throws
    {
        let living = try Self.living(["clusters": ["radius": 16]])
        _ = try living.build()
        let levels = try Self.job(living).levels
        #expect(levels.levels.map(\.cutZoom) == [7, 6, 5, 4, 3, 2, 1])
        #expect(levels.levels.map { $0.division.cells.map(\.z).max() } == [5, 5, 4, 3, 2, 1, 0])
        for (below, above) in zip(levels.levels, levels.above) {
            #expect(below.numbers.upperBound == above.numbers.lowerBound)
            for number in below.numbers {
                #expect(levels.level(of: number).numbers == below.numbers)
                let square = levels.square(number)
                #expect(above.division.cells.filter(square.isWithin).count == 1)
            }
            #expect(above.division.counts.reduce(0, +) == 2_000)
        }
        #expect(Set(levels.numbers.map(levels.name)).count == levels.numbers.count)
    }

    /// What a change reaches is made anew, and what it does not reach is the file of the job before.
    @Test(
        arguments: [
            ["clusters": ["radius": 16, "aggregates": ["n": "sum:n"]]],
            [
                "clusters": [
                    "radius": 20, "algorithm": "greedy", "aggregates": ["k": "histogram:kind"],
                ]
            ],
        ] as [JSONValue])
    func `squares that see no change are taken over`(settings: JSONValue) throws {
        var living = try Self.living(settings, levelZooms: 2)
        _ = try living.build()
        let before = try living.inodes()
        living.points[0] = SamplePoint.towns(1, seed: 99)[0]
        _ = try living.build()
        let after = try living.inodes()
        let levels = try Self.job(living).levels
        let names = levels.levels[1].numbers.map(levels.name)
        for file in ["cluster/%.p6.up", "cluster/%.p6.tree", "tiles/%"] {
            let same = names.filter { name in
                let path = file.replacing("%", with: name)
                return before[path] != nil && before[path] == after[path]
            }
            #expect(
                same.count < names.count && same.count > names.count / 2,
                "\(file) \(same.count) of \(names.count)")
        }
    }

    /// A cell at the edge of a square hands up one node more, far from that edge.
    @Test func `squares do not see changes of their neighbours beyond their reach`() throws {
        var living = try Self.living(["clusters": ["radius": 16]], levelZooms: 2)
        living.points.append(SamplePoint(place: LonLat(longitude: 42.5, latitude: 16)))
        _ = try living.build()
        let before = try living.inodes()
        living.points.append(SamplePoint(place: LonLat(longitude: 34, latitude: 16)))
        _ = try living.build()
        let after = try living.inodes()
        let levels = try Self.job(living).levels
        let changed = levels.levels[1].numbers.map(levels.name).filter { name in
            let tree = "cluster/\(name).p6.tree"
            return before[tree] != after[tree]
        }
        #expect(changed == ["above1-3-4-3"])
        let members = "cluster/above1-3-5-3.p6.members"
        #expect(before[members] != nil && before[members] != after[members])
    }

    /// The files of the level below have other names then.
    @Test func `a job that takes more passes than the one before makes its squares anew`() throws {
        var living = try Self.living(["clusters": ["radius": 16]], levelZooms: 2)
        living.cells.passLimit = 1
        // Points so far apart that nothing merges in cells take one pass a zoom.
        living.points = (0..<700).map { point in
            let place = LonLat(
                longitude: Double(point % 60) * 6 - 177, latitude: Double(point / 60) * 5 - 78)
            return SamplePoint(place: place)
        }
        let one = try living.build().passLimit
        var random = SeededRandom(seed: 5)
        for index in 0..<400 {
            living.points[index].place = LonLat(
                longitude: 10 + random.unit(), latitude: 50 + random.unit())
        }
        #expect(try living.build().passLimit > one)
    }

    @Test func `more passes than were supposed are noticed in each level by itself`() throws {
        var random = SeededRandom(seed: 3)
        var cells = CellOracleTests.cells(3, depth: 2, margin: nil, passLimit: 1)
        cells.levelZooms = 1
        let points = CellOracleTests.spread(
            600, around: WorldPoint(x: 0.5, y: 0.5), side: 0.2, using: &random)
        let builds = try CellBuildTests.Builds(
            [(points, ["clusters": ["radius": 64, "maxZoom": 7]])], tiles: ["maxZoom": 8])
        cells.folder = builds.path("job")
        _ = try builds.build("whole.mbtiles")
        _ = try builds.build("cut.mbtiles", cells)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
        var options = BuildOptions()
        options.cells = cells
        let job = try CellJob(in: JobFolder(builds.path("job")), options: options)
        let limits = job.levels.levels.indices.map(job.passLimit(ofLevel:))
        #expect(limits.count == 5 && limits.dropFirst().contains { $0 > 1 }, "\(limits)")
    }

    @Test func `squares have names among those that are left to do`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(100, seed: 3), ["clusters": ["radius": 40]])],
            tiles: ["maxZoom": 6])
        let cells = try builds.plan(zoom: 2, levelZooms: 1)
        try cells.cluster()
        try cells.top()
        let left = try cells.left(in: "tiles")
        #expect(left.count == cells.job.levels.numbers.count)
        let above = left.filter { $0.cell.hasPrefix("above1-") }
        let levels = cells.job.levels
        let points = levels.levels[1].numbers.map(levels.points)
        // They count as an eighth of the points that they have.
        #expect(above.count == 16 && points.reduce(0, +) == 100)
        #expect(above.map(\.points) == points.map { $0 / 8 })
        try cells.tiles(named: above.map(\.cell)) { #expect($0.isNew) }
        let status = try cells.status()
        #expect(status.tiled == 16 && status.squares == left.count && status.next == "tiles")
        try cells.tiles()
        _ = try cells.merge(to: builds.path("cut.mbtiles"), in: MBTiles.self)
        _ = try builds.build("whole.mbtiles")
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }

    @Test func `tasks cluster one level after the other, and the top what is left`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(300, seed: 9), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 6]
        )
        let cells = try builds.plan(zoom: 2, levelZooms: 1)
        let levels = cells.job.levels
        #expect(levels.levels.count == 5)
        // The highest is left to the top.
        for level in levels.levels.dropLast() {
            let names = level.numbers.map(levels.name)
            #expect(try cells.status().next == "cluster")
            #expect(try cells.left(in: "cluster").map(\.cell) == names)
            #expect(try cells.status().clustered == level.numbers.lowerBound)
            let above = levels.name(of: level.numbers.upperBound)
            #expect(throws: JobError.self) { _ = try cells.cluster(named: [above]) { _ in } }
            try cells.cluster(CellBuild.Share(1, of: 2))
            let left = try cells.left(in: "cluster").map(\.cell)
            #expect(!left.isEmpty && left.count < names.count)
            var told: [String] = []
            let isDone = try cells.cluster(named: names) {
                told.append($0.cell)
                #expect($0.isNew == left.contains($0.cell))
            }
            #expect(isDone && told == names)
        }
        #expect(try cells.status().next == "cluster")
        try cells.top()
        #expect(try cells.status().next == "tiles")
        try cells.cluster(CellBuild.Share(1, of: 1))
        try cells.tiles()
        _ = try cells.merge(to: builds.path("cut.mbtiles"), in: MBTiles.self)
        _ = try builds.build("whole.mbtiles")
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }

    @Test func `the nodes that the top will have are those of the highest level`() throws {
        func nodes(_ levelZooms: Int) throws -> Int {
            let builds = try CellBuildTests.Builds(
                [(SamplePoint.towns(500, seed: 4), ["clusters": ["radius": 120]])],
                tiles: ["maxZoom": 6])
            let plan = try builds.plan(zoom: 2, levelZooms: levelZooms).job.plan
            #expect(plan.levels.last?.cutZoom == [nil, 1, 3][levelZooms])
            return plan.expectedNodes
        }
        let found = try [0, 1, 2].map(nodes)
        #expect(found[1] < found[2] && found[2] < found[0])
    }

    /// What features say of other nodes, or what is drawn of them, has all above the cells in one.
    @Test(
        arguments: [
            (["heat": true], [:]), (["spread": true], [:]), (["variableDepth": true], [:]),
            ([:], ["fields": ["bbox"]]), ([:], ["algorithm": "grid"]), ([:], ["wrap": false]),
            ([:], ["algorithm": "greedy", "minPoints": 3]),
        ] as [(JSONObject, JSONObject)])
    func `what needs all nodes at once has no levels`(tiles: JSONObject, clusters: JSONObject)
        throws
    {
        var (tiles, clusters) = (tiles, clusters)
        tiles["maxZoom"] = 6
        clusters["radius"] = 40
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(100, seed: 3), ["clusters": .object(clusters)])],
            tiles: .object(tiles))
        #expect(try builds.plan(zoom: 2, levelZooms: 1).job.levels.above.isEmpty)
    }
}
