import Clustering
import Geometry
import Points
import TestSupport
import Testing

@testable import Tileset

/// How the world is cut, held against counting one by one.
struct CellChoiceTests {
    private static func cells(zoom: Int) -> CellOptions {
        var cells = CellOptions()
        cells.zoom = zoom
        return cells
    }

    /// So many points in some places, some of them heavy.
    private static func counts(_ count: Int, spread: Double, seed: UInt64 = 1) -> (
        counts: PointCounts, points: [WorldPoint]
    ) {
        var random = SeededRandom(seed: seed)
        let towns = (0..<5).map { _ in (random.unit() * 0.9, random.unit() * 0.9) }
        let points = (0..<count).map { index in
            let town = towns[Int(random.next() % 5)]
            let size = index % 4 == 0 ? 0.1 : spread
            return WorldPoint(x: town.0 + random.unit() * size, y: town.1 + random.unit() * size)
        }
        var counter = PointCounts()
        counter.add(Column(points.map(\.x)).span, Column(points.map(\.y)).span, wraps: true)
        // As a plan has them that was read: the tiles that hold points, and no others.
        var sink = BlockSink()
        counter.write(to: &sink)
        var source = BlockSource(sink.bytes)
        guard let counts = try? PointCounts(&source) else { preconditionFailure("damaged") }
        return (counts, points)
    }

    /// How many points lie in each of some cells.
    private static func counts(of points: [WorldPoint], in cells: [TileID]) -> [Int] {
        var counts = Dictionary(uniqueKeysWithValues: cells.map { ($0, 0) })
        let zooms = Set(cells.map(\.z))
        for point in points {
            for zoom in zooms { counts[TileID(holding: point, zoom: zoom)]? += 1 }
        }
        return cells.map { counts[$0] ?? -1 }
    }

    /// What any choice must be: the world once, along the curve, with the points of each cell.
    private static func check(_ choice: CellChoice, _ points: [WorldPoint]) {
        let cells = choice.division.cells
        #expect(CellDivision.isWhole(cells))
        #expect(cells.map(\.curveDistance) == cells.map(\.curveDistance).sorted())
        #expect(choice.division.counts == counts(of: points, in: cells))
        for point in points.prefix(200) {
            #expect(cells.count { TileID(holding: point, zoom: $0.z) == $0 } == 1)
        }
    }

    private static func options(_ maxZoom: Int, radius: Double = 40) -> ClusterOptions {
        ClusterOptions(radius: Radius(radius), maxZoom: maxZoom)
    }

    @Test func `a zoom has as many nodes as have room in its tiles`() {
        let (counts, points) = Self.counts(6_000, spread: 0.001)
        for (radius, minPoints, unique, groups, zoom) in [
            (40.0, 2, 1, 1, 3), (20, 2, 1, 1, 5), (80, 2, 1, 1, 9), (40, 5, 1, 1, 8),
            (40, 2, 4, 3, 8), (40, 2, 1, 1, 13), (0.1, 2, 1, 1, 2), (40, 2, 1, 0, 4),
        ] as [(Double, Int, Int, Int, Int)] {
            var options = Self.options(14, radius: radius)
            options.minPoints = minPoints
            options.minUniqueLocations = unique
            let share = 40 / max(radius, 0.5)
            let apart = Double(max(minPoints - 1, unique - 1, 1) * max(groups, 1))
            let tileZoom = UInt8(min(zoom, 11))
            // A tile of the deepest zoom that is counted has room for four of the next.
            let room = 110 * share * share * apart * (zoom > 11 ? 16 : 1)
            var tiles: [TileID: Int] = [:]
            for point in points { tiles[TileID(holding: point, zoom: tileZoom), default: 0] += 1 }
            let expected = tiles.values.reduce(0.0) { $0 + min(Double($1), room) }
            let nodes = CellChoice.nodes(counts, [options], groups, at: zoom)
            #expect(abs(nodes - expected) < 1e-6 * expected, "radius \(radius), zoom \(zoom)")
        }
        // The smallest radius of several layers has the most room.
        let both = [Self.options(14, radius: 80), Self.options(14, radius: 20)]
        let small = CellChoice.nodes(counts, [both[1]], 1, at: 6)
        #expect(CellChoice.nodes(counts, both, 1, at: 6) == small)
        #expect(CellChoice.nodes(counts, [both[0]], 1, at: 6) < small)
        let taken = CellChoice.nodes(counts, both, 1, at: 6, PointCounts.taken)
        #expect(taken < small && taken > small / 4)
    }

    @Test(arguments: [(0, 4), (2, 6), (5, 9), (8, 10)])
    func `cells of the zoom that is asked for are cut four zooms above the top`(
        cellZoom: Int, cutZoom: Int
    ) {
        let (counts, points) = Self.counts(3_000, spread: 0.01)
        let choice = CellChoice(
            counts, [Self.options(10)], hierarchies: 1, nodeLimit: 1_000,
            cells: Self.cells(zoom: cellZoom))
        #expect(choice.cutZoom == cutZoom)
        #expect(choice.nodes == Int(CellChoice.nodes(counts, [Self.options(10)], 1, at: cutZoom)))
        Self.check(choice, points)
        // All that hold points are as deep as asked for; nothing else is.
        for (cell, count) in zip(choice.division.cells, choice.division.counts) {
            #expect(Int(cell.z) <= cellZoom && (count == 0 || Int(cell.z) == cellZoom))
        }
        let covering = CellChoice(
            counts, [Self.options(3)], hierarchies: 1, nodeLimit: 1_000,
            cells: Self.cells(zoom: cellZoom),
            leavesOut: true)
        #expect(covering.cutZoom == 3 && covering.division.cells.count == 1)
    }

    @Test(arguments: [(4_096, 1, true), (4_097, 63, false), (4_097, 64, true)])
    func `thousands of cells that hold hardly any points are refused`(
        count: Int, points: Int, isTaken: Bool
    ) throws {
        let cells = CellChoice.squares(halving: { $0.z < 7 })
        let counts = cells.indices.map { $0 < count ? points : 0 }
        let choice = CellChoice(
            division: CellDivision(cells, counts: counts), cutZoom: 11, nodes: 0)
        guard !isTaken else { return try choice.refuseSmallCells() }
        let error = #expect(throws: JobError.self) { try choice.refuseSmallCells() }
        let text = try #require(error?.description)
        #expect(text.contains("at zoom 7 there are 4097 cells with points, 63 in each on average"))
        #expect(text.contains("without --cell-zoom"))
    }

    @Test func `the cut is as deep as a third of the points, or the memory, lets it be`() {
        let (counts, _) = Self.counts(210_000, spread: 0.02)
        let options = [Self.options(12)]
        for limit in [Int.max, 66_000] {
            let choice = CellChoice(
                counts, options, hierarchies: 1, nodeLimit: limit, cells: CellOptions())
            let most = Double(max(min(70_000, limit), 65_536))
            let fits = { CellChoice.nodes(counts, options, 1, at: $0) <= most }
            let first = (0..<12).first { !fits($0 + 1) } ?? 12
            #expect(choice.cutZoom == first && first > 2)
            #expect(choice.nodes == Int(CellChoice.nodes(counts, options, 1, at: first)))
            let cells = choice.division
            #expect(CellDivision.isWhole(cells.cells) && cells.counts.reduce(0, +) == 210_000)
            for (cell, count) in zip(cells.cells, cells.counts) where Int(cell.z) < first - 3 {
                #expect(count <= 65_536)
            }
        }
    }

    @Test func `a job that stays has levels until the top is small, in squares of zoom 2 at least`()
    {
        var random = SeededRandom(seed: 9)
        var counts = PointCounts()
        // A sixteenth of the world, with room for 450,000 nodes at zoom 8.
        for _ in 0..<15 {
            let places = (0..<200_000).map { _ in random.unit() / 4 }
            counts.add(
                Column(places[..<100_000]).span, Column(places[100_000...]).span, wraps: true)
        }
        for folder in [nil, "job"] {
            var cells = CellOptions()
            cells.folder = folder
            var choice = CellChoice(
                counts, [Self.options(14)], hierarchies: 1, nodeLimit: .max, cells: cells,
                hasLevels: true)
            choice.addLevels(
                counts, [Self.options(14)], hierarchies: 1, cells, nodeLimit: .max)
            #expect(choice.cutZoom == 8)
            #expect(choice.levels.map(\.cutZoom) == (folder == nil ? [] : [6]))
            let squares = choice.levels.flatMap(\.squares)
            #expect(folder == nil || CellDivision.isWhole(squares) && squares.map(\.z).max() == 2)
            #expect(choice.nodes < (folder == nil ? 1 << 20 : 1 << 17))
        }
    }

    @Test func `cells are cut again until they fit the memory, or the one that does not is told`()
        throws
    {
        let (counts, points) = Self.counts(8_000, spread: 0.05)
        let options = [Self.options(10)]
        let choice = CellChoice(
            counts, options, hierarchies: 1, nodeLimit: .max, cells: CellOptions())
        #expect(choice.division.cells.count == 1)
        let least = 160 << 20
        let whole = try choice.cut(
            to: least + 400 * 8_000, counts, options, hierarchies: 1)
        #expect(whole.division.cells.count == 1)
        for most in [7_999, 3_000, 700] {
            let cut = try choice.cut(
                to: least + 400 * most, counts, options, hierarchies: 1)
            Self.check(cut, points)
            #expect(cut.division.cells.count > 1 && cut.division.counts.allSatisfy { $0 <= most })
            #expect(cut.nodes == Int(CellChoice.nodes(counts, options, 1, at: cut.cutZoom)))
        }
        var together = PointCounts()
        let places = Array(repeating: 0.3, count: 3_000)
        together.add(Column(places).span, Column(places).span, wraps: true)
        let error = #expect(throws: JobError.self) {
            _ = try choice.cut(
                to: least + 400 * 2_000, together, options, hierarchies: 1)
        }
        guard case .cellTooHeavy(_, 3_000, let needed, let allowed)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(needed == least + 1_200_000 && allowed == least + 800_000)
        // The lightest cut there is: its forecast is enough.
        let lightest = try choice.cut(
            to: least + 400 * 2_000, together, options, hierarchies: 1, exactly: false)
        #expect(lightest.division.counts.max() == 3_000)
        #expect(throws: JobError.self) {
            _ = try choice.cut(
                to: least + 400 * 2_000, together, options, hierarchies: 1, exactly: true)
        }
    }
}
