import Foundation
import Geometry
import JSON
import TestSupport
import Testing
import TileArchive
import Tileset

/// What happens at a limit, and one past it.
struct ExactLimitTests {
    /// A hundred points apart from each other within one tile of zoom 6 and of zoom 7.
    private static let hundred = (0..<100).map { (index: Int) -> SamplePoint in
        let (column, row) = (Double(index % 10), Double(index / 10))
        return SamplePoint(
            place: LonLat(longitude: 0.1 + 0.25 * column, latitude: 0.1 + 0.2 * row))
    }

    @Test(arguments: [(100, false), (99, true)])
    func `a tile as full as it may be shows its points, and one point more holds them together`(
        maxFeatures: Int, isCrowded: Bool
    ) throws {
        let baked = try BakedArchive(
            Self.hundred, layer: ["clusters": ["maxZoom": 5, "radius": 60]],
            tiles: ["maxZoom": 8, "maxFeatures": .integer(Int64(maxFeatures))])
        #expect((baked.report.layers[0].heldClusters > 0) == isCrowded)
        for zoom in UInt8(6)...8 {
            let nodes = baked.nodes(at: zoom)
            #expect(nodes.reduce(0) { $0 + $1.pointCount } == 100)
            // At zoom 8 the tile is four, none of them full.
            #expect(nodes.contains(where: \.isCluster) == (isCrowded && zoom < 8), "zoom \(zoom)")
            let fullest = Dictionary(grouping: nodes, by: \.tile).values.map(\.count).max() ?? 0
            #expect(fullest <= maxFeatures)
        }
    }

    /// Fifty times the limit before it is packed: one text for all, or each its own.
    @Test(arguments: [false, true])
    func `a tile of many times the limit is judged by what it takes when packed`(
        isCrowded: Bool
    ) throws {
        var random = SeededRandom(seed: 9)
        func text() -> String {
            (0..<1_000).map { _ in String(random.next() % 36, radix: 36) }.joined()
        }
        let shared = text()
        let points = Self.hundred.map { point in
            SamplePoint(
                place: point.place,
                properties: [("text", .string(isCrowded ? text() : shared))])
        }
        let baked = try BakedArchive(
            points, layer: ["clusters": ["maxZoom": 5, "radius": 60]],
            tiles: ["maxZoom": 7, "maxBytes": .integer(4_000)])
        #expect((baked.report.layers[0].heldClusters > 0) == isCrowded)
    }

    @Test(arguments: [1, 5, 99, 100, Int.max])
    func `the largest limits are none, one beside the other`(maxFeatures: Int) throws {
        let baked = try BakedArchive(
            Self.hundred, layer: ["clusters": ["maxZoom": 5, "radius": 60]],
            tiles: [
                "maxZoom": 7, "maxBytes": .integer(.max),
                "maxFeatures": .integer(Int64(maxFeatures)),
            ])
        #expect((baked.report.layers[0].heldClusters > 0) == (maxFeatures < 100))
    }

    @Test func `the bytes of a tile are a limit like its features`() throws {
        var random = SeededRandom(seed: 5)
        let points = Self.hundred.map { point in
            let text = (0..<6).map { _ in String(random.next(), radix: 36) }.joined()
            return SamplePoint(place: point.place, properties: [("text", .string(text))])
        }
        func build(maxBytes: Int) throws -> BakedArchive {
            try BakedArchive(
                points, layer: ["clusters": ["maxZoom": 5, "radius": 60]],
                tiles: ["maxZoom": 7, "maxBytes": .integer(Int64(maxBytes))])
        }
        let free = try build(maxBytes: 100_000)
        let fullest = try #require(free.report.largestTiles.first)
        #expect(free.report.layers[0].heldClusters == 0 && fullest.features == 100)
        #expect(try build(maxBytes: fullest.bytes * 2).report.layers[0].heldClusters == 0)
        let tight = try build(maxBytes: fullest.bytes / 2)
        #expect(tight.report.layers[0].heldClusters > 0)
        // Half the bytes show about half of what there was, and never lose a point.
        let shown = tight.nodes(at: 7)
        #expect((10...70).contains(shown.count))
        #expect(shown.reduce(0) { $0 + $1.pointCount } == 100)
    }

    /// All in one cluster: small at 4,000 points, large with one more.
    @Test(arguments: [(3_999, 1), (4_000, 1), (4_001, 2)])
    func `a cluster of as many points as a block may have is one block`(
        count: Int, blocks: Int64
    ) throws {
        let baked = try BakedArchive(
            SamplePoint.towns(count, seed: 4),
            layer: ["clusters": ["radius": 600, "maxZoom": 1]], tiles: ["maxZoom": 2])
        var index = try baked.archive.openClusters()
        #expect(index.leafBound == Int64(count) && (index.table.count == 1) == (blocks == 1))
        for block in 0..<index.table.count {
            let points = try baked.leafBlock(block).layers.map(\.features.count)
            #expect(points == [index.table.leaves(ofBlock: block).count])
        }
        let root = try #require(baked.nodes(at: 0).first)
        #expect(root.pointCount == count && baked.nodes(at: 0).count == 1)
        let key = try index.cluster(Int64(root.id ?? 0)).key
        #expect(try (index.outline(of: key) != nil) == (blocks > 1))
        let end = index.table.count
        #expect(throws: ArchiveError.unknownLeafBlock(path: baked.path, block: end)) {
            try baked.leafBlock(end)
        }
    }

    /// https://github.com/sqlite/sqlite/blob/master/magic.txt lists it for MBTiles.
    @Test func `the file says in its header that it holds tiles`() throws {
        let bytes = try BakedArchive([SamplePoint(place: LonLat(longitude: 1, latitude: 2))]).bytes
        #expect(bytes[68..<72].elementsEqual("MPBX".utf8))
        #expect(bytes[60..<64].elementsEqual([0, 0, 0, 0]))
    }
}
