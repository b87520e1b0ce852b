import ArchiveContract
import ClusterQueries
import Compression
import Foundation
import Geometry
import MadeArchives
import Testing
import TileArchive
import VectorTile

/// Answers that would be too long, or take too long, and questions from the other side of the world.
struct LargeAnswerTests {
    /// An archive of blocks that have a few points each.
    final class Blocks {
        static let leavesPerBlock = LeafBlockLayout.mostLeaves
        let folder: URL

        /// - Parameter texts: what the points of each block carry; a point may carry several.
        init(_ blocks: [[(position: WorldPoint, texts: [String])]], hull: [WorldPoint]) throws {
            folder = FileManager.default.temporaryDirectory.appending(
                path: "covey-blocks-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var gzip = GzipCompressor(level: 1)
            let count = Int64(blocks.count) * Self.leavesPerBlock
            let description = ClusterDescription(
                layers: [
                    .init(name: "a", leaves: 0..<count, minZoom: 0, maxZoom: 0, clustering: nil)
                ], buffer: 8, ids: .placed)
            try OldArchive.write(
                to: folder.appending(path: "a.mbtiles").path, description, idBase: 32,
                tiles: [(TileID(z: 0, x: 0, y: 0), gzip.compress(Self.tile(blocks[0]).span))],
                blocks: blocks.enumerated().map { number, points in
                    (
                        Int64(number), gzip.compress(Self.tile(points).span),
                        hull.map { GridPoint($0) }
                    )
                }, clusters: [])
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func query() throws -> ClusterQuery {
            try ClusterQuery(Archive(path: folder.appending(path: "a.mbtiles").path))
        }

        private static func tile(_ points: [(position: WorldPoint, texts: [String])]) -> [UInt8] {
            var builder = TileBuilder()
            builder.beginLayer("a", extent: 1 << 30)
            for (index, point) in points.enumerated() {
                let grid = GridPoint(point.position)
                builder.beginPoint(id: UInt64(index), x: grid.x, y: grid.y)
                for (number, text) in point.texts.enumerated() {
                    builder.addTag(builder.key("k\(number)"), .string(text))
                }
                builder.endFeature()
            }
            builder.endLayer()
            return builder.copyBytes()
        }
    }

    static let world = [
        WorldPoint(x: 0, y: 0.1), WorldPoint(x: 0.999, y: 0.1), WorldPoint(x: 0.999, y: 0.9),
        WorldPoint(x: 0, y: 0.9),
    ]

    @Test func `a search by position ends where there are too many blocks or corners`() throws {
        let points = [(WorldPoint(x: 0.1, y: 0.5), [String]())]
        let blocks = try Blocks(Array(repeating: points, count: 5), hull: Self.world)
        var query = try blocks.query()
        _ = try query.blockBoxes(mostBlocks: 5, mostCorners: 20)
        for (most, corners) in [(Int64(4), 20), (5, 19)] {
            do {
                _ = try query.blockBoxes(mostBlocks: most, mostCorners: corners)
                Issue.record("it looked at all of them")
            } catch {
                guard case .tooManyBlocks = error else { throw error }
            }
        }
    }

    @Test func `a list looks into sixteen blocks, and says where it goes on`() throws {
        let points = (0..<10).map { (WorldPoint(x: 0.1 + Double($0) / 100, y: 0.5), [String]()) }
        let blocks = try Blocks(Array(repeating: points, count: 18), hull: Self.world)
        var query = try blocks.query()
        let boxes = try query.blockBoxes()
        let empty = LonLatBox(west: 100, south: -10, east: 120, north: 10)
        let nothing = try query.leaves(in: empty, from: 0, limit: 5, among: boxes)
        #expect(nothing.leaves.isEmpty && nothing.next == 16 * Blocks.leavesPerBlock)
        let rest = try query.leaves(in: empty, from: nothing.next ?? 0, limit: 5, among: boxes)
        #expect(rest.leaves.isEmpty && rest.next == nil)
        let all = LonLatBox(west: -180, south: -80, east: 180, north: 80)
        let many = try query.leaves(in: all, from: 0, limit: 1_000, among: boxes)
        #expect(many.leaves.count == 160 && many.next == 16 * Blocks.leavesPerBlock)
        let last = try query.leaves(in: all, from: many.next ?? 0, limit: 1_000, among: boxes)
        #expect(last.leaves.count == 20 && last.next == nil)
        let inside = try query.leaves(
            in: all, from: Blocks.leavesPerBlock + 7, limit: 4, among: boxes)
        let first = Blocks.leavesPerBlock
        #expect(
            inside.leaves.map(\.number)
                == [first + 7, first + 8, first + 9, 2 * first])
        #expect(inside.next == 2 * first + 1)
        #expect(try query.leaves(in: all, from: 1 << 53, limit: 4, among: boxes).next == nil)
    }

    @Test(arguments: [(0.999, 0.001), (0.001, 0.999), (0.75, 0.25)])
    func `the nearest point is found on the other side of the antimeridian`(
        there: Double, here: Double
    ) throws {
        let points = [(WorldPoint(x: there, y: 0.5), ["far"])]
        let blocks = try Blocks([points], hull: [WorldPoint(x: there, y: 0.5)])
        var query = try blocks.query()
        let boxes = try query.blockBoxes()
        let distance = min(abs(there - here), 1 - abs(there - here))
        let place = WorldPoint(x: here, y: 0.5)
        let near = try query.leaf(nearest: place, within: distance + 1e-6, among: boxes)
        #expect(near == 0)
        let none = try query.leaf(nearest: place, within: distance - 1e-6, among: boxes)
        #expect(none == nil)
    }

    /// An archive of strangers may claim the world for each block, and have a million points in it.
    @Test func `a block with more points than there are numbers for is an error`() throws {
        let point = (WorldPoint(x: 0.5, y: 0.5), [String]())
        let count = Int(Blocks.leavesPerBlock) + 1
        let blocks = try Blocks([Array(repeating: point, count: count)], hull: Self.world)
        var query = try blocks.query()
        let boxes = try query.blockBoxes()
        let error = #expect(throws: ClusterQueryError.self) {
            try query.leaf(nearest: point.0, within: 0.1, among: boxes)
        }
        #expect(error?.description.contains("4001 points instead of 4000") == true)
    }

    @Test func `points are taken as long as they do not carry too much together`() throws {
        let text = String(repeating: "x", count: 1_000)
        let points = (0..<10).map { _ in (WorldPoint(x: 0.5, y: 0.5), [text]) }
        let blocks = try Blocks([points], hull: Self.world)
        var query = try blocks.query()
        func count(_ range: Range<Int64>, _ mostBytes: Int) throws -> Int {
            try query.leaves(range, mostBytes: mostBytes).count
        }
        #expect(try count(0..<10, .max) == 10)
        // The first is always taken.
        #expect(try count(0..<10, 0) == 1 && count(3..<10, 1_100) == 1)
        #expect(try count(0..<10, 2_100) == 2 && count(0..<10, 9_900) == 9)
    }

    @Test func `a few large values do not become a huge answer`() throws {
        let text = String(repeating: "x", count: 6 << 20)
        let points = (0..<4).map { _ in (WorldPoint(x: 0.5, y: 0.5), [text]) }
        let blocks = try Blocks([points], hull: Self.world)
        var query = try blocks.query()
        let limit = ClusterQuery.mostBytesOfLeaf
        #expect(try query.leaves(0..<4, mostBytes: limit).map(\.number) == [0, 1])
        #expect(try query.leaves(2..<4, mostBytes: limit).map(\.number) == [2, 3])
        #expect(try query.leaves(0..<4).count == 4)
        let boxes = try query.blockBoxes()
        let all = LonLatBox(west: -180, south: -80, east: 180, north: 80)
        let page = try query.leaves(in: all, from: 0, limit: 10, among: boxes)
        #expect(page.leaves.map(\.number) == [0, 1] && page.next == 2)
        let next = try query.leaves(in: all, from: 2, limit: 10, among: boxes)
        #expect(next.leaves.map(\.number) == [2, 3] && next.next == nil)
        // What other blocks gave counts, too.
        let apart = try Blocks([[points[0]], [points[1]], [points[2]]], hull: Self.world)
        query = try apart.query()
        let first = try query.leaves(in: all, from: 0, limit: 10, among: query.blockBoxes())
        let size = Blocks.leavesPerBlock
        #expect(first.leaves.map(\.number) == [0, size] && first.next == 2 * size)
    }

    @Test func `children that carry too much together are left out from the end`() throws {
        let text = String(repeating: "x", count: 6 << 20)
        let points = (0..<4).map { _ in (WorldPoint(x: 0.5, y: 0.5), [text]) }
        var query = try Blocks([points], hull: Self.world).query()
        func count(_ leaves: [Int64]) throws -> Int {
            let drawn = DrawnNodes(
                leaves.map { .leaf($0) }, at: 1, zooms: 0...1, query.description)
            return try drawn.features(&query).count
        }
        #expect(try count([0, 1]) == 2 && count([0, 1, 2, 3]) == 2)
        // As much as an answer may carry is not too much: the key has two bytes.
        let half = String(repeating: "x", count: DrawnNodes.mostBytes / 2 - 2)
        let exact = [half, half, ""].map { (WorldPoint(x: 0.5, y: 0.5), [$0]) }
        query = try Blocks([exact], hull: Self.world).query()
        #expect(try count([0, 1]) == 2 && count([0, 1, 2]) == 2 && count([0, 2, 1]) == 2)
    }

    @Test func `a point that carries more than any answer may is an error`() throws {
        let text = String(repeating: "x", count: 6 << 20)
        let points = [
            (WorldPoint(x: 0.5, y: 0.5), ["a"]),
            (WorldPoint(x: 0.5, y: 0.5), [text, text, text]),
        ]
        let blocks = try Blocks([points], hull: Self.world)
        var query = try blocks.query()
        #expect(try query.leaves(0..<1).count == 1)
        #expect(try query.leaves(0..<2, mostBytes: 1 << 20).count == 1)
        #expect(throws: ClusterQueryError.self) { _ = try query.leaves(1..<2, mostBytes: 1 << 20) }
        #expect(throws: ClusterQueryError.self) { _ = try query.leaves(0..<2) }
        // A list ends before it, and goes on with an error; one of no points asks for none.
        let (boxes, all) = (try query.blockBoxes(), LonLatBox.world)
        let page = try query.leaves(in: all, from: 0, limit: 9, among: boxes)
        #expect(page.leaves.map(\.number) == [0] && page.next == 1)
        let none = try query.leaves(in: all, from: 0, limit: 0, among: boxes)
        #expect(none.leaves.isEmpty && none.next == 0)
        #expect(throws: ClusterQueryError.self) {
            _ = try query.leaves(in: all, from: 1, limit: 9, among: boxes)
        }
    }

    /// A key has two bytes, and a text of that length four beside its own.
    @Test func `as much as any answer may carry is not too much, and what comes behind it is`()
        throws
    {
        let texts = Array(repeating: String(repeating: "x", count: (2 << 20) - 6), count: 8)
        #expect(8 * (2 + 4 + texts[0].utf8.count) == ClusterQuery.mostBytesOfLeaf)
        for (texts, isTooMuch) in [(texts, false), (texts + ["y"], true)] {
            var query = try Blocks([[(WorldPoint(x: 0.5, y: 0.5), texts)]], hull: Self.world)
                .query()
            let found = try? query.leaves(0..<1)
            #expect((found == nil) == isTooMuch)
        }
    }
}
