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
        var page = IDPage()
        for id in ids.sorted() { page.append(id, firstLeaf: Int64(random.next() % (1 << 48))) }
        return page
    }

    @Test(arguments: 0..<10)
    func `a page comes back from its bytes, and has each key`(seed: UInt64) throws {
        let page = Self.page(seed: seed, count: 1 + Int(seed) * 400)
        #expect(try IDPage(unpacking: page.packed) == page)
        for (id, leaf) in zip(page.ids, page.firstLeaves) {
            let zoom = UInt8(id % 32)
            #expect(page.key(of: id) == ClusterKey(firstLeaf: leaf, zoom: zoom))
            #expect(page.ids.contains(id + 1) || page.key(of: id + 1) == nil)
        }
        #expect(page.key(of: page.ids[0] - 1) == nil)
    }

    @Test func `a page that could mislead is refused`() {
        var same = IDPage()
        for _ in 0..<2 { same.append(1 << 52, firstLeaf: 0) }
        var deep = IDPage()
        deep.append(1 << 52, firstLeaf: 1 << 48)
        var far = IDPage()
        far.append(1 << 53, firstLeaf: 0)
        var long = IDPage()
        for id in 0...IDPage.size { long.append((1 << 52) + Int64(id), firstLeaf: 0) }
        for page in [IDPage(), same, deep, far, long] {
            #expect(throws: ClusterBlockError.self) { try IDPage(unpacking: page.packed) }
        }
    }

    @Test func `the overview tells which page has an id`() throws {
        let overview = ClusterBoxes([], pages: [10, 20, 40])
        #expect(try ClusterBoxes(unpacking: overview.packed) == overview)
        for (id, page) in [(9, nil), (10, 0), (19, 0), (20, 1), (39, 1), (40, 2), (99, 2)]
            as [(Int64, Int?)]
        {
            #expect(overview.page(of: id) == page)
        }
        #expect(throws: ClusterBlockError.self) {
            try ClusterBoxes(unpacking: ClusterBoxes([], pages: [20, 20]).packed)
        }
    }

    @Test func `a block keeps how far names lie from their places`() throws {
        var rows = (0..<5).map { first in
            ClusterRecord(
                key: ClusterKey(firstLeaf: 2 * first, zoom: 3), leafCount: 2,
                position: GridPoint(x: 7, y: 9), parent: nil)
        }
        (rows[1].shift, rows[4].shift) = (-3, 1 << 40)
        let block = ClusterBlock(number: 0, leaves: 0..<10, hull: [], rows: rows)
        #expect(try ClusterBlock(unpacking: block.packed) == block)
    }
}
