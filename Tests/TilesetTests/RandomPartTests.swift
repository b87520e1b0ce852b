import Foundation
import Geometry
import JSON
import PointInput
import Points
import Recipes
import TestSupport
import TileArchive
import Testing

@testable import Tileset

/// Builds of points that come in parts, against builds of all of them in one piece.
struct RandomPartTests {
    /// Reads a stretch of a layer's lines as `readPart` reads an Arrow stream.
    static func readPart(
        of layer: Int, _ lines: [String], _ build: TilesetBuild
    ) throws -> String {
        let recipe = build.recipe
        let job = try JobFolder(try #require(build.options.cells.folder))
        let folder = PartFolder(job, recipe, generator: build.options.generator)
        let keys = AttributeKeys()
        let clusters = recipe.layers[layer].clusters?.options
        let store = try PointStore(
            recipe, keys, build.options, always: true,
            makeFolder: { () throws(JobError) in job }, runs: PointRuns(rows: 40, bytes: 1 << 20))
        store.begin(layer: layer)
        let path = "\(job.path)/lines.geojsonl"
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        var options = InputOptions()
        options.keepsEastEdge = !(clusters?.wrap ?? true)
        options.weightAttribute = recipe.layers[layer].clusters?.weight
        var (table, report) = try PointTable.read(
            [.file(path)], options: options, keys: keys, spill: store)
        return try store.end(&table, report, of: "lines").written(to: folder).name
    }

    /// Gathers parts in some shares, and these once more.
    private static func gathered(
        _ names: [String], _ build: TilesetBuild, using random: inout SeededRandom
    ) throws -> [String] {
        let count = Int.random(in: 2...4, using: &random)
        let some = try (1...count).flatMap { task in
            try build.gatherParts(names, CellBuild.Share(task, of: count)).map(\.part)
        }
        return Bool.random(using: &random) ? some : try build.gatherParts(some).map(\.part)
    }

    private static func drawn(_ seed: UInt64) throws -> ([[SamplePoint]], CellBuildTests.Builds) {
        var random = SeededRandom(seed: seed)
        let layers = (0..<1 + Int(seed % 2)).map { index in
            let towns = SamplePoint.towns(
                Int.random(in: 30...250, using: &random), seed: 7 * seed + UInt64(index))
            return (
                points: CellBuildTests.weighted(CellBuildTests.paired(towns, using: &random)),
                settings: CellBuildTests.settings(using: &random)
            )
        }
        var tiles: JSONObject = ["buffer": 8]
        // Where the data decides how deep the tiles go, the curve is walked, too.
        if seed % 2 == 0 { tiles["precision"] = 20_000 } else { tiles["maxZoom"] = 6 }
        return (layers.map(\.points), try CellBuildTests.Builds(layers, tiles: .object(tiles)))
    }

    @Test(arguments: UInt64(0)..<2)
    func `parts in any order give the archive of all their points`(seed: UInt64) throws {
        var random = SeededRandom(seed: 100 + seed)
        let (layers, builds) = try Self.drawn(seed)
        let whole = try builds.build("whole.mbtiles")
        var options = BuildOptions()
        options.replacesExisting = true
        options.cells.folder = builds.path("job")
        if seed == 1 { options.cells.zoom = 2 }
        let build = TilesetBuild(
            builds.recipe, to: builds.path("parts.mbtiles"), in: MBTiles.self, options: options)
        var names: [String] = []
        for (layer, points) in layers.enumerated() {
            var rest = points.map(\.line)[...]
            while !rest.isEmpty {
                let some = rest.prefix(1 + Int(random.next() % 120))
                names.append(try Self.readPart(of: layer, Array(some), build))
                rest = rest.dropFirst(some.count)
            }
        }
        let one = try #require(try build.runParts(names.shuffled(using: &random)))
        #expect(try builds.areSame("whole.mbtiles", "parts.mbtiles"))
        #expect(one.zooms == whole.zooms && one.tileBytes == whole.tileBytes)

        let planned = try Self.gathered(names, build, using: &random).shuffled(using: &random)
        try build.planParts(
            planned, cellMemory: seed % 2 == 0 ? CellForecast.bytes(points: 60) : nil)
        try build.planParts(planned.reversed(), cellMemory: nil)
        #expect(throws: JobError.plannedOtherwise(folder: builds.path("job"))) {
            try build.planParts(Array(planned.dropFirst()), cellMemory: nil)
        }
        let cells = try CellBuild(in: builds.path("job"), options: options)
        #expect(try cells.status().points == layers.reduce(0) { $0 + $1.count })
        try cells.cluster()
        try cells.top()
        try cells.tiles()
        let merged = try cells.merge(to: builds.path("cut.mbtiles"), in: MBTiles.self)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
        #expect(merged.zooms == whole.zooms)
        #expect(merged.layers.map(\.clusters) == whole.layers.map(\.clusters))
    }

    /// Parts that begin in a cell and end in another, or lie in one alone.
    @Test func `a cell has the points of parts that lie in it, each once and no others`() throws {
        let (layers, builds) = try Self.drawn(0)
        var options = BuildOptions()
        options.cells.folder = builds.path("job")
        options.cells.zoom = 2
        let build = TilesetBuild(builds.recipe, to: "", in: MBTiles.self, options: options)
        let sorted = layers[0].sorted { a, b in
            let tiles = [a, b].map { TileID(holding: WorldPoint($0.place), zoom: 20) }
            return tiles[0].curveDistance < tiles[1].curveDistance
        }
        let names = try stride(from: 0, to: sorted.count, by: 7).map { start in
            let some = sorted[start..<min(start + 7, sorted.count)]
            return try Self.readPart(of: 0, some.map(\.line), build)
        }
        try build.planParts(names, cellMemory: nil)
        let job = try CellBuild(in: builds.path("job"), options: options).job
        var count = 0
        for cell in job.division.cells.indices {
            let (tables, sum) = try CellPoints(job, of: cell, within: 0).read()
            #expect(try sum != nil && sum == CellPoints(job, of: cell, within: 0).sum())
            let points = tables[0]
            count += points.count
            #expect(points.count == job.division.counts[cell])
            for row in 0..<points.count {
                let place = points.position(of: row).inSquare(wraps: job.layerOptions[0].wrap)
                let square = job.division.cells[cell]
                #expect(TileID(holding: place, zoom: square.z) == square)
            }
        }
        #expect(count == sorted.count && job.division.cells.count > 4)
    }

    @Test func `names that clusters have are given to no point of a part`() throws {
        let points = SamplePoint.towns(60, seed: 3).enumerated().map { index, point in
            let more: [(String, JSONValue)] = [("point_count", 7), ("cluster", true)]
            // Some parts have both, others one or none.
            return SamplePoint(
                place: point.place, properties: point.properties + more.prefix(index / 20))
        }
        let builds = try CellBuildTests.Builds(
            [(points, ["reservedNames": "rename"])], tiles: ["maxZoom": 3])
        _ = try builds.build("whole.mbtiles")
        var options = BuildOptions()
        options.cells.folder = builds.path("job")
        let build = TilesetBuild(
            builds.recipe, to: builds.path("parts.mbtiles"), in: MBTiles.self, options: options)
        let names = try [0..<20, 20..<40, 40..<60].map { range in
            try Self.readPart(of: 0, points[range].map(\.line), build)
        }
        _ = try build.runParts(names)
        #expect(try builds.areSame("whole.mbtiles", "parts.mbtiles"))
    }

    /// Squares and margins, against a look at every tile of a coarse grid.
    @Test func `stretches of the curve are those of the tiles that a square and its margin touch`()
    {
        var random = SeededRandom(seed: 4)
        for _ in 0..<25 {
            let zoom = UInt8(random.next() % 5)
            let width = UInt64(1) << UInt64(zoom)
            let square = TileID(
                z: zoom, x: UInt32(random.next() % width), y: UInt32(random.next() % width))
            let margin = [0, 1e-6, 0.01, 0.3][Int(random.next() % 4)]
            let stretches = CurveStretches(of: square, margin: margin)
            let (low, high) = (square.origin.x - margin, square.origin.x + square.width + margin)
            let (top, bottom) = (square.origin.y - margin, square.origin.y + square.width + margin)
            let wrong = (UInt32(0)..<256).filter { number in
                let tile = TileID(z: 4, x: number % 16, y: number / 16)
                let (left, upper) = (tile.origin.x, tile.origin.y)
                let isNear =
                    [-1.0, 0, 1].contains {
                        low + $0 <= left + tile.width && high + $0 >= left
                    } && top <= upper + tile.width && bottom >= upper
                return stretches.meet(CurveStretches.stretch(of: tile)) != isNear
            }
            #expect(wrong.isEmpty, "\(square) \(margin)")
            let sorted = stretches.stretches
            #expect(
                zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        }
    }

    @Test func `sizes are told in whole KiB, rounded up, and from ten MiB on in MiB`() {
        for (bytes, text) in [
            (0, "0 KiB"), (1, "1 KiB"), (1_024, "1 KiB"), (1_025, "2 KiB"),
            ((10 << 20) - 1, "10240 KiB"),
            (10 << 20, "10 MiB"), ((11 << 20) - 1, "10 MiB"), (3 << 30, "3072 MiB"),
        ] {
            // What is needed is enough if it is given.
            let needed = bytes == (11 << 20) - 1 ? "11 MiB" : text
            #expect(
                "\(BuildError.notEnoughMemory(needed: bytes, allowed: 2_048))".contains(
                    "about \(needed) of memory"))
            #expect(
                "\(BuildError.notEnoughAddresses(needed: 1, left: bytes))".contains(
                    "leaves it \(text)\n"))
        }
        #expect(
            "\(BuildError.outputIsInput(output: "a", input: "a"))".hasPrefix("a is itself an input")
        )
        #expect(
            "\(BuildError.outputIsInput(output: "a", input: "b"))".hasPrefix(
                "a is the same file as b"))
        let missing = { (count: Int) in
            "\(JobError.missing(phase: "top", cells: (0..<count).map { "c\($0)" }, folder: "f"))"
        }
        #expect(missing(3).hasPrefix("f: phase top is not done for c0, c1, c2\n"))
        #expect(missing(5).hasPrefix("f: phase top is not done for c0, c1, c2 and 2 more\n"))
        let heavy = JobError.cellTooHeavy(cell: "c", points: 7, needed: 9 << 20, allowed: 5 << 20)
        #expect(
            "\(heavy)".contains("holds 7 points, which need about 9 MiB where 5 MiB are allowed"))
        let disk = JobError.diskTooSmall(folder: "f", needed: 3 << 20, free: 2 << 20)
        #expect(
            "\(disk)".hasPrefix("f: the job needs about 3 MiB of disk, and only 2 MiB are free\n"))
    }
}
