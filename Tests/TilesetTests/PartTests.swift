import Foundation
import Geometry
import JSON
import PointInput
import Points
import Recipes
import TestSupport
import Testing

@testable import Tileset

/// That points which were read in parts are found again, all of them and by every cell that wants them.
struct PartTests {
    private static func points(_ count: Int, using random: inout SeededRandom) -> PointTable {
        var batch = PointBatch()
        for id in 0..<count {
            // Many on edges of tiles, where one rounding may put them on either side.
            let x = Double(Int.random(in: 0..<2048, using: &random)) / 2048
            let y = Double(Int.random(in: 0..<2048, using: &random)) / 2048
            let shifts: [Double] = [0, -1e-13, 1e-13, 0.0001]
            let shift = shifts.randomElement(using: &random) ?? 0
            batch.append(WorldPoint(x: max(0, x + shift), y: y), id: UInt64(id))
        }
        var table = PointTable()
        table.append(batch)
        return table
    }

    private static let report = InputReport(
        records: 9, kept: 8, points: 20_000, rejected: [.filtered: 1], notes: ["n"],
        regions: RegionTally(regions: ["a": 3, "ä": 0], outside: 7))

    private static func recipe(layers: Int) throws -> Recipe {
        try Recipe(
            reading: JSONNode([
                "layers": .array(
                    (0..<layers).map { ["name": .string("l\($0)"), "sources": ["a"]] })
            ]))
    }

    @Test func `a part gives back each of its points, and the stretch that it lies on`() throws {
        var random = SeededRandom(seed: 16)
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let points = Self.points(20_000, using: &random)
        let job = try JobFolder(folder.path)
        let recipe = try Self.recipe(layers: 2)
        let files = PartFolder(job, recipe, generator: "g")
        try JobFolder.make(files.path)
        let writer = try PartWriter(
            in: files, recipe, layer: 1, PointSurvey(of: recipe), points.attributes.keys,
            threads: 2)
        try writer.write(points, 0..<points.count)
        let written = try writer.finish(Self.report, in: files).written(to: files)
        let path = files.points(of: written.name)
        let head = try PartHead(
            files.read(files.head(of: written.name)), layer: 1, facets: [[], []])
        #expect(head.survey.layers.map(\.points) == [0, points.count])
        #expect(head.report == Self.report)
        #expect(head.survey.content == written.head.survey.content)
        #expect(head.survey.greatestID == UInt64(points.count - 1))

        var reader = try files.read(path)
        var seen: Set<UInt64> = []
        for block in head.blocks {
            reader.seek(to: block.offset)
            var source = try reader.block()
            let some = try source.points(StoredKeys(head.names, in: points.attributes.keys))
            #expect(some.count == block.count)
            for row in 0..<some.count {
                seen.insert(some.ids?[row] ?? PointTable.noID)
                let tile = TileID(
                    holding: some.position(of: row).inSquare(wraps: true), zoom: PartBlock.zoom)
                let place = Hilbert.distance(x: tile.x, y: tile.y, order: tile.z)
                #expect(block.stretch.contains(place))
            }
        }
        #expect(seen.count == points.count)
        #expect(throws: JobError.otherJob(path: path)) {
            try JobFileReader(path, in: job, job: "part y")
        }
    }

    /// What was left out of one part must not be counted as left out of the other.
    @Test func `parts without points are named by what was left out`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        var names: Set<String> = []
        let recipe = try Self.recipe(layers: 1)
        let files = PartFolder(try JobFolder(folder.path), recipe, generator: "g")
        try JobFolder.make(files.path)
        for (columns, left) in [(["a"], 3), (["a"], 5), (["b"], 3), (["a"], 3)] {
            let keys = AttributeKeys()
            for name in columns { _ = keys.intern(name) }
            let writer = try PartWriter(
                in: files, recipe, layer: 0, PointSurvey(of: recipe), keys, threads: 1)
            let report = InputReport(
                records: left, kept: 0, points: 0, rejected: [.badCoordinates: left], notes: [])
            names.insert(try writer.finish(report, in: files).name)
        }
        #expect(names.count == 3)
    }

    @Test func `the stretches of a square run through all of it and its margin`() {
        var random = SeededRandom(seed: 61)
        for _ in 0..<200 {
            let z = UInt8.random(in: 0...11, using: &random)
            let square = TileID(
                z: z, x: UInt32.random(in: 0..<(1 << UInt32(z)), using: &random),
                y: UInt32.random(in: 0..<(1 << UInt32(z)), using: &random))
            let margin = square.width * Double.random(in: 0...2, using: &random)
            let stretches = CurveStretches(of: square, margin: margin)
            for _ in 0..<20 {
                let x =
                    square.origin.x - margin
                    + (square.width + 2 * margin) * Double.random(in: 0..<1, using: &random)
                let y =
                    square.origin.y - margin
                    + (square.width + 2 * margin) * Double.random(in: 0..<1, using: &random)
                guard (0..<1).contains(y), (-1..<2).contains(x) else { continue }
                let tile = TileID(
                    holding: WorldPoint(x: x - x.rounded(.down), y: y), zoom: PartBlock.zoom)
                let place = Hilbert.distance(x: tile.x, y: tile.y, order: tile.z)
                #expect(stretches.meet(place...place), "\(square) \(margin) \(x) \(y)")
                #expect(
                    CurveStretches.stretch(of: square).contains(place)
                        == (tile.x >> (tile.z - square.z) == square.x
                            && tile.y >> (tile.z - square.z) == square.y))
            }
            #expect(
                zip(stretches.stretches, stretches.stretches.dropFirst()).allSatisfy {
                    $0.upperBound < $1.lowerBound
                })
        }
    }

    @Test(arguments: ["", "x", "0", "0-", "0-zz", "-1-ab", "0-1-2"])
    func `what is no name of a part is told`(name: String) {
        #expect(PartFolder.layer(of: name) == nil)
    }
}
