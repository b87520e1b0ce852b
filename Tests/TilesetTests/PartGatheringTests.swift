import Foundation
import Geometry
import JSON
import PointInput
import Points
import Recipes
import TestSupport
import Testing

@testable import Tileset

/// That parts which are gathered hold the points that they held before, in the order of the curve.
struct PartGatheringTests {
    private let folder: URL
    private let files: PartFolder
    private let job: JobFolder
    private let recipe: Recipe

    init() throws {
        folder = try TemporaryFolder.make()
        job = try JobFolder(folder.path)
        recipe = try Recipe(
            reading: JSONNode(["layers": [["name": "points", "sources": ["a"]]]]))
        files = PartFolder(job, recipe, generator: "g")
        try JobFolder.make(files.path)
    }

    /// Writes a part with points at some places, and tells of records that were left out.
    private func part(_ places: [WorldPoint], from id: Int, left: Int) throws -> String {
        var batch = PointBatch()
        for (index, place) in places.enumerated() { batch.append(place, id: UInt64(id + index)) }
        var table = PointTable()
        table.append(batch)
        let writer = try PartWriter(
            in: files, recipe, layer: 0, PointSurvey(of: recipe), table.attributes.keys, threads: 1)
        try writer.write(table, 0..<table.count)
        let report = InputReport(
            records: places.count + left, kept: places.count, points: places.count,
            rejected: [.filtered: left], notes: ["part \(id)"])
        let name = try writer.finish(report, in: files).written(to: files).name
        // Of no regions nothing is told, also when it is read again.
        #expect(try head(of: name).report == report)
        return name
    }

    private func head(of part: String) throws -> PartHead {
        try PartHead(files.read(files.head(of: part)), layer: 0, facets: [[]])
    }

    private func build() -> TilesetBuild {
        var options = BuildOptions()
        options.generator = "g"
        options.cells.folder = folder.path
        return TilesetBuild(recipe, to: "", options: options)
    }

    /// The ids of a part's points, block by block.
    private func ids(of part: String, _ head: PartHead) throws -> [UInt64] {
        var reader = try files.read(files.points(of: part))
        var found: [UInt64] = []
        for block in head.blocks {
            reader.seek(to: block.offset)
            var source = try reader.block()
            let points = try source.points(StoredKeys(head.names, in: AttributeKeys()))
            for row in 0..<points.count {
                found.append(try #require(points.ids?[row]))
                let position = points.position(of: row)
                let place = HilbertSort.key(
                    x: TileGrid.fixed(position.x), y: TileGrid.fixed(position.y),
                    zoom: PartBlock.zoom)
                #expect(block.stretch.contains(place))
            }
        }
        return found
    }

    @Test(arguments: [1, 2, 3, 7])
    func `shares hold each point once, along the curve, and tell once what was left out`(
        count: Int
    ) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededRandom(seed: UInt64(count))
        var parts: [String] = []
        var next = 0
        for number in 0..<5 {
            let places = (0..<700).map { (index: Int) -> WorldPoint in
                // A third of them at one place, and many on the edges of tiles.
                if index % 3 == 0 { return WorldPoint(x: 0.4, y: 0.3) }
                let column = Int.random(in: 0..<2048, using: &random)
                return WorldPoint(
                    x: Double(column) / 2048, y: Double.random(in: 0..<1, using: &random))
            }
            parts.append(try part(places, from: next, left: number))
            next += places.count
        }
        parts.append(try part([], from: next, left: 20))
        let gathered = try (1...count).map { task in
            try #require(
                try build().gatherParts(parts, CellBuild.Share(task, of: count)).first)
        }
        let heads = try gathered.map { try head(of: $0.part) }
        let found = try zip(gathered, heads).flatMap { try ids(of: $0.part, $1) }
        #expect(found.sorted() == Array(0..<UInt64(next)))
        #expect(heads.reduce(0) { $0 + $1.report.records } == next + 30)
        #expect(heads.reduce(0) { $0 + $1.report.rejected[.filtered, default: 0] } == 30)
        #expect(gathered.reduce(0) { $0 + $1.points } == next)
        for (report, head) in zip(gathered, heads) {
            #expect(report.stretch == head.stretch)
            #expect(report.passes == 1)
            #expect(
                zip(head.blocks, head.blocks.dropFirst()).allSatisfy {
                    $0.stretch.lowerBound <= $1.stretch.lowerBound
                })
        }
        if count == 2 {
            #expect(gathered.allSatisfy { (900...2_700).contains($0.points) })
        }
    }

    @Test func `a part says how often it goes over the curve`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for passes in 1...3 {
            let keys = AttributeKeys()
            let writer = try PartWriter(
                in: files, recipe, layer: 0, PointSurvey(of: recipe), keys, threads: 1)
            for _ in 0..<passes {
                var batch = PointBatch()
                for index in 0..<1_100 {
                    batch.append(WorldPoint(x: Double(index) / 1_100, y: 0.3))
                }
                var table = PointTable(keys: keys)
                table.append(batch)
                try writer.write(table, 0..<table.count)
            }
            let report = PartReport(try writer.finish(InputReport(), in: files))
            #expect(report.passes == passes && report.points == 1_100 * passes)
        }
    }

    @Test func `stretches of one curve cover it, and have about as many points each`() {
        var random = SeededRandom(seed: 12)
        for _ in 0..<60 {
            var counts = PointCounts()
            let places = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                Double.random(in: 0..<1, using: &random)
            }
            let (xs, ys) = (Column(places), Column(places.map { $0 * $0 }))
            counts.add(xs.span, ys.span, wraps: true)
            let number = Int.random(in: 1...9, using: &random)
            let stretches = (1...number).map { counts.stretch($0, of: number) }
            #expect(stretches[0].lowerBound == 0)
            #expect(stretches[number - 1].upperBound == 1 << (2 * UInt64(PointCounts.zoom)))
            #expect(
                zip(stretches, stretches.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
            // Here few points share a tile.
            let most =
                stretches.map { stretch in
                    places.count { x in
                        stretch.contains(
                            HilbertSort.key(
                                x: TileGrid.fixed(x), y: TileGrid.fixed(x * x),
                                zoom: PointCounts.zoom))
                    }
                }.max() ?? 0
            #expect(most <= places.count / number + 4, "\(places.count) \(number)")
        }
    }
}
