import Foundation
import Geometry
import PointInput
import Points
import TestSupport
import TileArchive
import Testing

@testable import Tileset

/// What a build in cells does at the edges of the world, of a job and of a folder.
struct CellEdgeTests {
    typealias Builds = CellBuildTests.Builds

    @Test func `a box past either end of the world goes on at the other`() {
        let squares = TileID(z: 0, x: 0, y: 0).children
            .sorted { $0.curveDistance < $1.curveDistance }
        let division = CellDivision(squares, counts: squares.map { _ in 1 })
        func touched(_ west: Double, _ east: Double, _ north: Double, _ south: Double) -> [String] {
            let box = WorldBox(minX: west, minY: north, maxX: east, maxY: south)
            return division.cells(touching: box).map { squares[$0].description }.sorted()
        }
        #expect(touched(0.1, 0.2, 0.1, 0.2) == ["1/0/0"])
        #expect(touched(0.6, 0.7, 0.1, 0.6) == ["1/1/0", "1/1/1"])
        #expect(touched(0.95, 1.05, 0.7, 0.8) == ["1/0/1", "1/1/1"])
        #expect(touched(-0.05, 0.05, 0.7, 0.8) == ["1/0/1", "1/1/1"])
        #expect(touched(0.1, 0.9, 0.7, 0.8) == ["1/0/1", "1/1/1"])
        #expect(touched(-3, 3, 0.1, 0.2) == ["1/0/0", "1/1/0"])
    }

    @Test func `on a flat world the cells at its ends do not meet`() throws {
        var random = SeededRandom(seed: 3)
        let points = (0..<150).map { number in
            let offset = number % 5 == 0 ? 0 : random.unit() * 6
            let longitude = number % 2 == 0 ? 180 - offset : offset - 180
            return SamplePoint(
                place: LonLat(longitude: longitude, latitude: random.unit() * 8),
                properties: [("n", .integer(Int64(number)))])
        }
        let builds = try Builds(
            [(points, ["clusters": ["wrap": false, "radius": 40]])], tiles: ["maxZoom": 5])
        _ = try builds.build("whole.mbtiles")
        var cells = CellOptions()
        cells.zoom = 2
        _ = try builds.build("cut.mbtiles", cells)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }

    /// A crowd of which half lies at the very end: in one cell by all, or there is no crowd.
    @Test func `points at the end of a flat world are in the cells there, beside a round one too`()
        throws
    {
        let points = (0..<16).map { (number: Int) -> SamplePoint in
            let longitude = number % 2 == 0 ? 180 : 179.999
            let place = LonLat(longitude: longitude, latitude: 20 + Double(number) / 10_000)
            return SamplePoint(place: place, properties: [("n", .integer(Int64(number)))])
        }
        let builds = try Builds(
            [
                (points, ["clusters": ["wrap": false, "radius": 20, "maxZoom": 4]]),
                (SamplePoint.towns(20, seed: 3), ["clusters": ["radius": 40]]),
            ], tiles: ["maxZoom": 7, "maxFeatures": 10])
        let whole = try builds.build("whole.mbtiles")
        #expect(whole.layers[0].heldClusters > 0)
        var cells = CellOptions()
        cells.zoom = 3
        _ = try builds.build("cut.mbtiles", cells)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }

    @Test func `a crowd where the world's ends meet is found`() throws {
        let points = (0..<16).map { number in
            SamplePoint(
                place: LonLat(longitude: 180, latitude: 20 + Double(number) / 10_000),
                properties: [("n", .integer(Int64(number)))])
        }
        let builds = try Builds(
            [(points, ["clusters": ["radius": 20, "maxZoom": 4]])],
            tiles: ["maxZoom": 7, "maxFeatures": 10])
        #expect(try builds.build("whole.mbtiles").layers[0].heldClusters > 0)
        var cells = CellOptions()
        cells.zoom = 3
        _ = try builds.build("cut.mbtiles", cells)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }

    /// In a process of its own, for the memory of other tests would count.
    @Test func `who asks for cells is not asked for the memory of larger ones`() async {
        await #expect(processExitsWith: .success) {
            let builds = try Builds(
                [(SamplePoint.towns(60, seed: 2), ["clusters": ["radius": 40]])],
                tiles: ["maxZoom": 3])
            var options = BuildOptions()
            options.memory = 150 << 20
            options.cells.zoom = 1
            _ = try TilesetBuild(
                builds.recipe, to: builds.path("a.mbtiles"), options: options
            ).run()
        }
    }

    @Test func `who builds or merges is told how large the file is`() throws {
        let builds = try Builds(
            [(SamplePoint.towns(60, seed: 2), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 3])
        var options = BuildOptions()
        options.cells.zoom = 1
        options.cells.folder = builds.path("job")
        let built = try TilesetBuild(
            builds.recipe, to: builds.path("a.mbtiles"), options: options
        ).run()
        #expect(try built.fileBytes == builds.bytes("a.mbtiles").count)
        let job = try CellBuild(in: builds.path("job"), options: options)
        let merged = try job.merge(to: builds.path("b.mbtiles"), in: MBTiles.self)
        #expect(try merged.fileBytes == builds.bytes("b.mbtiles").count)
        // What has been done before takes no time here.
        #expect(Set(merged.stages.map(\.stage)) == [.leaves, .tiles, .finish])
        #expect(merged.cells == built.cells && merged.layers[0].points == 60)
    }

    @Test func `a job whose folder is a file says that it cannot be made`() throws {
        let builds = try Builds(
            [(SamplePoint.towns(20, seed: 2), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 3])
        let file = builds.path("job")
        try Data("no folder".utf8).write(to: URL(filePath: file))
        var options = BuildOptions()
        options.cells.zoom = 1
        options.cells.folder = file
        let error = #expect(throws: (any Error).self) {
            try TilesetBuild(builds.recipe, to: "", options: options).planCells()
        }
        #expect("\(error, default: "")".hasPrefix("\(file): a temporary file cannot be made there"))
        #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "no folder")
    }
}
