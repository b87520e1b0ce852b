import ArchiveContract
import Geometry
import TestSupport
import Testing

struct ClusterNamesTests {
    private struct Cluster {
        var position: WorldPoint
        var zoom: Int
        var order: Int
    }

    private static func ids(_ clusters: [Cluster], fineness: Int = 5) throws -> [Int64] {
        var names = ClusterNames(layer: 2, fineness: fineness)
        for cluster in clusters { names.add(at: cluster.position, zoom: cluster.zoom) }
        return try names.ids { clusters[$0].order < clusters[$1].order }
    }

    /// Crowded so much that many share their cells.
    private static func random(_ count: Int, seed: UInt64) -> [Cluster] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { order in
            let zoom = Int(random.next() % 25)
            let middle = random.next() % 2 == 0 ? 0.5 : random.unit()
            let spread = 20 / (512 * Double(1 << zoom))
            return Cluster(
                position: WorldPoint(
                    x: middle + (random.unit() - 0.5) * spread,
                    y: 0.5 + (random.unit() - 0.5) * spread), zoom: zoom, order: order)
        }
    }

    @Test(arguments: 0..<20)
    func `ids are unique, tell the zoom, and stand near their clusters`(seed: UInt64) throws {
        let clusters = Self.random(2_000, seed: seed)
        let ids = try Self.ids(clusters)
        #expect(Set(ids).count == ids.count)
        var moved = 0
        for (id, cluster) in zip(ids, clusters) {
            let place = try #require(PlaceID(id))
            try #require(place.zoom == cluster.zoom && place.layer == 2)
            let grid = NameGrid(zoom: cluster.zoom, fineness: 5)
            let shift = grid.shift(of: place, from: GridPoint(cluster.position))
            // What the index keeps leads back to the id.
            let cell = UInt64(Int64(grid.cell(of: GridPoint(cluster.position).worldPoint)) + shift)
            try #require(grid.place(ofCell: cell) == place.place)
            if shift != 0 { moved += 1 }
        }
        #expect(moved > 100)
    }

    @Test(arguments: 0..<10)
    func `the order in which clusters come does not matter`(seed: UInt64) throws {
        let clusters = Self.random(500, seed: seed)
        let ids = try Self.ids(clusters)
        var random = SeededRandom(seed: seed + 100)
        let order = clusters.indices.shuffled(using: &random)
        let others = try Self.ids(order.map { clusters[$0] })
        for (place, index) in order.enumerated() { try #require(others[place] == ids[index]) }
    }

    @Test(arguments: 0..<20)
    func `a cluster more changes no id of another zoom or another tile`(seed: UInt64) throws {
        let clusters = Self.random(1_000, seed: seed)
        let before = try Self.ids(clusters)
        var random = SeededRandom(seed: seed + 7)
        let zoom = Int(random.next() % 25)
        let added = Cluster(
            position: WorldPoint(x: 0.5 + 1e-9, y: 0.5 + 1e-9), zoom: zoom, order: -1)
        let after = try Self.ids(clusters + [added])
        let tileZoom = UInt8(min(zoom, 11))
        let tile = TileID(holding: added.position, zoom: tileZoom)
        for (index, cluster) in clusters.enumerated() where before[index] != after[index] {
            #expect(cluster.zoom == zoom)
            #expect(TileID(holding: cluster.position, zoom: tileZoom) == tile)
        }
    }

    @Test func `names that are pushed over a tile's end go back before it`() throws {
        // The last cell of tile 1/0/0 on the curve, and more clusters than it has cells behind it.
        let grid = NameGrid(zoom: 1, fineness: 5)
        let size = UInt64(1) << 14
        let (x, y) = Hilbert.cell(at: size - 1, order: 8)
        let last = WorldPoint(x: (Double(x) + 0.5) / 256, y: (Double(y) + 0.5) / 256)
        #expect(grid.cell(of: last) == size - 1)
        let ids = try Self.ids((0..<5).map { Cluster(position: last, zoom: 1, order: $0) })
        #expect(
            ids.map { PlaceID($0)?.place }
                == (0..<5).map { grid.place(ofCell: size - 5 + UInt64($0)) })
    }

    /// Each takes its own cell or the next one that is free; only what has no room before the end goes back.
    @Test(arguments: UInt64(0)..<20)
    func `clusters of one cell stand in those behind it, and others stay`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let grid = NameGrid(zoom: 1, fineness: 5)
        let size = 1 << 14
        let base = seed % 3 == 0 ? size - 60 : Int(random.next() % UInt64(size - 60))
        let cells = (0..<40).map { _ in base + Int(random.next() % 60) }.sorted()
        let clusters = cells.enumerated().map { index, cell in
            let (x, y) = Hilbert.cell(at: UInt64(cell), order: 8)
            return Cluster(
                position: WorldPoint(x: (Double(x) + 0.5) / 256, y: (Double(y) + 0.5) / 256),
                zoom: 1, order: index)
        }
        let wanted = cells.indices.map { index in
            let pushed = (0...index).map { cells[$0] + index - $0 }.max() ?? 0
            return UInt64(min(pushed, size - cells.count + index))
        }
        let ids = try Self.ids(clusters)
        #expect(ids.map { PlaceID($0)?.place } == wanted.map { grid.place(ofCell: $0) })
    }

    @Test func `as many clusters as a tile has names are named, and one more is refused`() throws {
        // Zoom 11 at its finest has 1,024 a tile.
        let middle = WorldPoint(x: 0.5 + 0x1p-13, y: 0.5 + 0x1p-13)
        let full = (0..<1_024).map { Cluster(position: middle, zoom: 11, order: $0) }
        #expect(try Set(Self.ids(full)).count == 1_024)
        let more = full + [Cluster(position: middle, zoom: 11, order: 1_024)]
        let error = #expect(throws: ClusterNamesError.self) { try Self.ids(more) }
        #expect(error?.zoom == 11 && error?.clusters == 1_025 && error?.names == 1_024)
    }
}

struct IDPageTests {
    private static func page(seed: UInt64, count: Int) -> IDPage {
        var random = SeededRandom(seed: seed)
        let ids = Set((0..<count).map { _ in (1 << 52) + Int64(random.next() % (1 << 52)) })
        return IDPage(ids: ids.sorted(), blocks: ids.map { _ in Int(random.next() % 9) })
    }

    @Test(arguments: 0..<10)
    func `a page comes back from its bytes, and has each id`(seed: UInt64) throws {
        let page = Self.page(seed: seed, count: 1 + Int(seed) * 400)
        #expect(try IDPage(unpacking: page.packed, listing: 9) == page)
        for (index, id) in page.ids.enumerated() {
            #expect(page.index(of: id) == index)
            #expect(page.ids.contains(id + 1) || page.index(of: id + 1) == nil)
        }
        #expect(page.index(of: page.ids[0] - 1) == nil)
    }

    @Test func `a page of format 3 leads to leaves`() throws {
        // Two ids, the first of them 10, and their first leaves: 7 and 4.
        let bytes: [UInt8] = [0xB2, 6, 10, 8, 1, 0x12, 2, 10, 5, 0x1A, 2, 14, 5]
        let page = try IDPage(unpacking: bytes, listing: 0)
        #expect(page.ids == [10, 15] && page.targets == .leaves([7, 4]))
    }

    @Test func `a page that could mislead is refused`() {
        let least: Int64 = 1 << 52
        let long = (0...IDPage.size).map { least + Int64($0) }
        for page in [
            IDPage(ids: [], blocks: []), IDPage(ids: [least, least], blocks: [0, 0]),
            IDPage(ids: [least], blocks: [2]), IDPage(ids: [1 << 53], blocks: [0]),
            IDPage(ids: long, blocks: long.map { _ in 0 }), IDPage(ids: [least], blocks: []),
        ] {
            #expect(throws: ClusterBlockError.self) {
                try IDPage(unpacking: page.packed, listing: 2)
            }
        }
    }
}
