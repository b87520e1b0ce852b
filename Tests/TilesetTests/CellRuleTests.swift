import Clustering
import Geometry
import Points
import TestSupport
import Testing

@testable import Tileset

/// How many points and nodes decide of cells and cut, at the numbers where they decide otherwise.
struct CellRuleTests {
    /// So many points in tiles of zoom 11, by their places quarter by quarter.
    private static func counts(_ tiles: [(place: UInt32, count: UInt32)]) throws -> PointCounts {
        var sink = BlockSink()
        sink.write(Column(tiles.map(\.place)))
        sink.write(Column(tiles.map(\.count)))
        var source = BlockSource(sink.bytes)
        return try PointCounts(&source)
    }

    private static func choice(
        _ counts: PointCounts, radius: Double, maxZoom: Int, nodeLimit: Int = .max
    ) -> CellChoice {
        CellChoice(
            counts, [ClusterOptions(radius: Radius(radius), maxZoom: maxZoom)], hierarchies: 1,
            nodeLimit: nodeLimit, cells: CellOptions())
    }

    /// Where a circle has a radius of two pixels, a tile has room for 44,000 nodes.
    @Test(arguments: [(36_000, 9), (36_001, 3)])
    func `at the cut there are eight million nodes at most`(rest: Int, cutZoom: Int) throws {
        // Each in a tile of zoom 4 of its own, where no zoom below tells them apart.
        let tiles = (0..<182).map { number in
            (place: UInt32(number) << 14, count: UInt32(number < 181 ? 140_000 : rest))
        }
        let choice = Self.choice(try Self.counts(tiles), radius: 2, maxZoom: 9)
        #expect(choice.cutZoom == cutZoom)
        #expect(cutZoom < 9 || choice.nodes == 8_000_000)
    }

    @Test(arguments: [(65_536, 9), (65_537, 0)])
    func `and as many as a tile counts wherever that is little`(count: UInt32, cutZoom: Int) throws
    {
        let counts = try Self.counts([(0, count)])
        for limit in [0, 65_536] {
            let choice = Self.choice(counts, radius: 0.5, maxZoom: 9, nodeLimit: limit)
            #expect(choice.cutZoom == cutZoom, "\(limit)")
        }
    }

    /// Squares, by what comments say of their sizes.
    private static func cells(
        _ counts: PointCounts, cutZoom: Int, _ tile: TileID = TileID(z: 0, x: 0, y: 0)
    ) -> [TileID] {
        let total = counts.total
        let (light, heavy) = (max(total / 32, 65_536), max(total / 8, 65_536))
        let deepest = max(0, min(cutZoom - 3, 11))
        let limit = Int(tile.z) < cutZoom - 6 ? light : heavy
        let count = counts.tiles(at: tile.z).first { $0.tile == tile }?.count ?? 0
        guard Int(tile.z) < deepest, count > limit else { return [tile] }
        return tile.children.flatMap { cells(counts, cutZoom: cutZoom, $0) }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `squares are halved that hold more than a share of all points`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed + 300)
        var places: Set<UInt32> = []
        while places.count < 40 {
            let crowd = UInt32(random.next() % 4) << 20
            places.insert(crowd + UInt32(random.next() % (1 << [8, 14, 20][Int(seed % 3)])))
        }
        let counts = try Self.counts(
            places.sorted().map {
                ($0, UInt32(random.next() % (1 << [14, 18, 22][Int(seed / 4)])))
            })
        for maxZoom in [2, 5, 8, 14] {
            let choice = Self.choice(counts, radius: 40, maxZoom: maxZoom)
            let expected = Self.cells(counts, cutZoom: choice.cutZoom)
            #expect(Set(choice.division.cells) == Set(expected), "\(maxZoom) \(choice.cutZoom)")
            #expect(choice.division.counts.reduce(0, +) == counts.total)
        }
    }

    @Test func `cells of a given zoom lie in what covers them, where tiles are left out`() throws {
        let counts = try Self.counts((0..<400).map { (UInt32($0 * 10_000), 3) })
        for (zoom, depth, leavesOut) in [
            (3, nil, false), (3, nil, true), (6, 1, true), (6, 0, false), (2, 9, true),
        ] as [(Int, Int?, Bool)] {
            var cells = CellOptions()
            (cells.zoom, cells.cutDepth) = (zoom, depth)
            let choice = CellChoice(
                counts, [ClusterOptions(radius: 40, minZoom: 2, maxZoom: 8)], hierarchies: 1,
                nodeLimit: 1, cells: cells, leavesOut: leavesOut)
            let cut = min(zoom + (depth ?? 4), 8)
            #expect(choice.cutZoom == cut)
            let deepest = choice.division.cells.map(\.z).max()
            // Three zooms may be covered.
            #expect(deepest == UInt8(min(zoom, leavesOut ? cut - 3 : cut)), "\(zoom) \(cut)")
        }
    }
}
