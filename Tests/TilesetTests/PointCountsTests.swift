import Foundation
import Geometry
import JSON
import PointInput
import Points
import Recipes
import TestSupport
import Testing

@testable import Tileset

/// That points are counted in the tiles in which they lie.
struct PointCountsTests {
    @Test func `stretches of the curve hold about as many points each, and are all of it`() throws {
        var random = SeededRandom(seed: 5)
        var counts = PointCounts()
        let crowd = Array(repeating: 0.3, count: 500)
        let places = (0..<2_000).map { _ in (random.unit() * 0.1, random.unit() * 0.1) }
        let (xs, ys) = (places.map(\.0) + crowd, places.map(\.1) + crowd)
        counts.add(Column(xs).span, Column(ys).span, wraps: true)
        let stretches = counts.stretches(of: 100)
        #expect((21...40).contains(stretches.count))
        #expect(stretches.first?.lowerBound == 0)
        #expect(stretches.last?.upperBound == 1 << (2 * UInt64(PointCounts.zoom)) - 1)
        for (first, next) in zip(stretches, stretches.dropFirst()) {
            #expect(next.lowerBound == first.upperBound + 1)
        }
        var held = stretches.map { _ in 0 }
        for (tile, count) in counts.tiles(at: PointCounts.zoom) {
            let distance = Hilbert.distance(x: tile.x, y: tile.y, order: PointCounts.zoom)
            held[try #require(stretches.firstIndex { $0.contains(distance) })] += count
        }
        #expect(held.reduce(0, +) == 2_500 && held.max() == 500)
        #expect(held.filter { $0 > 100 }.count == 1)
    }

    @Test func `what no cut makes light enough is refused before its points are looked at again`()
        throws
    {
        var survey = PointSurvey(facets: [[]])
        let crowd = Column(Array(repeating: 0.3, count: 100_000))
        survey.counts.add(crowd.span, crowd.span, wraps: true)
        // All points at once would need far more than the fullest cell.
        survey.layers[0].points = 1 << 30
        let recipe = try Recipe(
            reading: JSONNode(["layers": [["name": "a", "sources": ["a.csv"]]]]))
        var options = BuildOptions()
        options.memory = 190 << 20
        // Nothing more may be asked of the points: the part is not there.
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let job = try JobFolder(folder.path)
        let head = PartHead(
            layer: 0, names: [], used: [], survey: survey, report: InputReport(), blocks: [],
            rows: 0)
        let points = PartPoints(
            recipe: recipe, files: PartFolder(job, recipe, generator: ""),
            keys: AttributeKeys(), options: options, parts: [NamedHead(head).name], heads: [head],
            names: [[]])
        let plan = PlanPhase(
            recipe: recipe, points: points, keys: points.keys, options: options, sources: [],
            archive: nil)
        let needed = 160 << 20 + 100_000 * 400
        #expect(throws: BuildError.notEnoughMemory(needed: needed, allowed: 190 << 20)) {
            _ = try plan.run()
        }
    }

    @Test func `counts by zoom and by tile are those of the points, however they are cut`() throws {
        var random = SeededRandom(seed: 12)
        var (whole, read) = (PointCounts(), PointCounts())
        var places: [WorldPoint] = []
        for part in 0..<3 {
            let size = [0.2, 0.001, 0.05][part]
            let points = (0..<40).map { _ in
                WorldPoint(x: random.unit() * size, y: 1 - random.unit() * size)
            }
            var counts = PointCounts()
            counts.add(Column(points.map(\.x)).span, Column(points.map(\.y)).span, wraps: true)
            whole.add(Column(points.map(\.x)).span, Column(points.map(\.y)).span, wraps: true)
            var sink = BlockSink()
            counts.write(to: &sink)
            var source = BlockSource(sink.bytes)
            read.add(try PointCounts(&source))
            places += points
        }
        for counts in [whole, read] {
            #expect(counts.total == places.count)
            let sum = counts.sums()
            for zoom in UInt8(0)...PointCounts.zoom {
                var expected: [TileID: Int] = [:]
                for place in places {
                    expected[TileID(holding: place, zoom: zoom), default: 0] += 1
                }
                let tiles = counts.tiles(at: zoom)
                #expect(tiles.count == expected.count)
                for (tile, count) in tiles {
                    #expect(expected[tile] == count)
                    #expect(sum(tile) == count)
                }
            }
            #expect(counts.tileCount(at: 20) <= places.count)
        }
    }

    @Test func `the eastern edge is the western one only where the world wraps`() {
        for (wraps, column) in [(true, UInt32(0)), (false, 1)] {
            var counts = PointCounts()
            counts.add(Column([1.0]).span, Column([0.25]).span, wraps: wraps)
            #expect(counts.tiles(at: 1).map(\.tile) == [TileID(z: 1, x: column, y: 0)])
        }
    }

    @Test func `more points than a counter holds do not end the program, but are refused`() throws {
        var sink = BlockSink()
        sink.write(Column([UInt32(7)]))
        sink.write(Column([UInt32(Int32.max)]))
        var counts = PointCounts()
        for _ in 0..<3 {
            var source = BlockSource(sink.bytes)
            counts.add(try PointCounts(&source))
            var gathered = counts
            gathered.gather()
            #expect(throws: JobError.self) { try gathered.fullest() }
        }
        #expect(counts.total == 3 * Int(Int32.max))
    }

    @Test func `counts that cannot be are damage`() {
        let (big, sound) = (UInt32(1) << 22, UInt32(7))
        let cases: [(places: [UInt32], counts: [UInt32])] = [
            ([big], [1]), ([sound, sound], [1, 1]), ([sound], []), ([sound], [1 << 31]),
            ([sound, 6], [1, 1]), ([sound, big], [1, 1]), ([sound, 8], [1, 1 << 31]),
        ]
        for (places, counts) in cases {
            var sink = BlockSink()
            sink.write(Column(places))
            sink.write(Column(counts))
            var source = BlockSource(sink.bytes)
            #expect(throws: BlockSource.Damaged.self) { try PointCounts(&source) }
        }
    }
}
