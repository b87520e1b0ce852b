import Geometry
import JSON
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// Archives without leaf blocks, from cells.
struct NoLeavesTests {
    @Test func `a cluster may end in an earlier block of a task than it begins in one`()
        throws
    {
        var random = SeededRandom(seed: 3)
        // The first cluster is in the west; the other two become one in the east, and a task begins
        // between them.
        let towns = [(12_000, -150.0), (5_000, 130.0), (5_000, 140.0)]
        let points = towns.flatMap { count, longitude in
            (0..<count).map { _ in
                SamplePoint(
                    place: LonLat(
                        longitude: longitude + random.unit() / 100,
                        latitude: 60 + random.unit() / 100))
            }
        }
        let builds = try CellBuildTests.Builds(
            [(points, [:])], tiles: ["maxZoom": 6, "leaves": false])
        let cells = try builds.tiled(zoom: 1, leavesInTask: 16_000)
        let tasks = try TopClusters(of: cells.job).tasks
        #expect(tasks.map(\.leaves.lowerBound) == [0, 17_000])
        #expect(tasks[1].open.map(\.end) == [22_000])
        for name in ["a.pmtiles", "a.mbtiles"] {
            let container: any ArchiveContainer.Type =
                name.hasSuffix("pmtiles") ? PMTiles.self : MBTiles.self
            _ = try builds.build("whole.\(name)", in: container)
            _ = try cells.merge(to: builds.path(name), in: container)
            #expect(try builds.areSame("whole.\(name)", name))
        }
    }
}
