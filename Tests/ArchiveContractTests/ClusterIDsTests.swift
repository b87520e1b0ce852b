import ArchiveContract
import Geometry
import TestSupport
import Testing

struct ClusterIDsTests {
    @Test func `a counted id leads to its key`() throws {
        let ids = try #require(ClusterIDs(base: 96))
        for key in [
            ClusterKey(firstLeaf: 0, zoom: 0), ClusterKey(firstLeaf: 7, zoom: 31),
            ClusterKey(firstLeaf: ClusterKey.leafLimit - 1, zoom: 5),
        ] {
            let id = 96 + key.firstLeaf * 32 + Int64(key.zoom)
            #expect(ids.key(of: id) == key && ClusterKey(packed: key.packed) == key)
        }
        let end = 96 + ClusterKey.leafLimit * 32
        for id in [Int64.min, -1, 0, 95, end, .max] { #expect(ids.key(of: id) == nil) }
        #expect(ids.key(of: end - 1) == ClusterKey(firstLeaf: ClusterKey.leafLimit - 1, zoom: 31))
        #expect(ClusterIDs.placed.key(of: 96) == nil)
    }

    @Test func `a base is a multiple of 32 that ids can lie above`() {
        for base in [Int64(-32), 33, 1, 1 << 53, .max] { #expect(ClusterIDs(base: base) == nil) }
        for base in [0, 32, ClusterIDs.limit - 32] as [Int64] {
            #expect(ClusterIDs(base: base) == .counted(base: base))
        }
    }

    @Test func `keys ascend in leaf order, the outermost cluster first`() {
        let keys = [(0, 0), (0, 5), (1, 0), (1, 31), (2, 0)].map {
            ClusterKey(firstLeaf: Int64($0), zoom: UInt8($1))
        }
        #expect(keys.shuffled().sorted() == keys)
        // Past the deepest zoom the bound is the next leaf's.
        #expect(ClusterKey.bound(leaf: 4, zoom: 32) == ClusterKey(firstLeaf: 5, zoom: 0).packed)
    }

    @Test(arguments: 0..<20)
    func `a place and its number are each other's, and the number is exact in JavaScript`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let id = PlaceID(
            layer: Int(random.next() % 32), place: random.next() % (1 << 42),
            zoom: Int(random.next() % 32))
        #expect(PlaceID(id.number) == id)
        #expect(id.number >= 1 << 52 && id.number < 1 << 53)
        for number in [0, -1, .min, (1 << 52) - 1, 1 << 53, .max] as [Int64] {
            #expect(PlaceID(number) == nil)
        }
    }

    @Test func `an id is the bits that the docs tell of`() {
        let id = PlaceID(layer: 3, place: 5, zoom: 7)
        #expect(id.number == (1 << 52) + 3 * (1 << 47) + 5 * 32 + 7)
        // Zoom 4 and 5 bits are a grid of 512 a side; its cell 0 begins where the finest does.
        let grid = NameGrid(zoom: 4, fineness: 5)
        let position = WorldPoint(x: 0.75, y: 0.25)
        #expect(grid.cell(of: position) == Hilbert.distance(x: 384, y: 128, order: 9))
        #expect(grid.place(ofCell: 2) == 2 << 24)
        // Shallow zooms have 256 cells a side, and no zoom has more than 2^21.
        #expect(NameGrid(zoom: 0, fineness: 5).place(ofCell: 1) == 1 << 26)
        #expect(NameGrid(zoom: 24, fineness: 5).place(ofCell: 1) == 1)
    }

    @Test func `positions at the ends of the world and beyond have a cell`() {
        for zoom in [0, 7, 24] {
            let grid = NameGrid(zoom: zoom, fineness: 5)
            func cell(_ x: Double, _ y: Double) -> UInt64 { grid.cell(of: WorldPoint(x: x, y: y)) }
            #expect(cell(0.5, -0.25) == cell(0.5, 0) && cell(0.5, 1.5) == cell(0.5, 1))
            #expect(cell(0.5, 1) == cell(0.5, 0.9999999999))
            #expect(cell(1.25, 0.5) == cell(0.25, 0.5) && cell(-0.25, 0.5) == cell(0.75, 0.5))
            #expect(cell(1, 0.5) == cell(0.9999999999, 0.5) && cell(2, 0.5) == cell(0, 0.5))
        }
    }

    @Test(arguments: [
        (80.0, false, 5), (40, false, 5), (20, false, 6), (40, true, 8), (0, false, 21),
    ])
    func `names are as fine as half the radius, and finer with groups`(
        pixels: Double, isGrouped: Bool, bits: Int
    ) {
        let radius = RadiusByZoom(stops: [(0, 200), (5, pixels)]) ?? RadiusByZoom(0)
        #expect(NameGrid.fineness(radius: radius, isGrouped: isGrouped) == bits)
    }
}
