import ArchiveContract
import Testing

struct ClusterIDsTests {
    @Test func `ids lie above those of all points, and none is 0`() {
        for (greatest, base) in [
            (nil, 32), (0, 32), (31, 32), (32, 64), (63, 64), (64, 96), (1_000_000, 1_000_032),
        ] as [(UInt64?, Int64)] {
            let ids = ClusterIDs(abovePointID: greatest, leafCount: 10)
            #expect(ids.base == base && !ids.mayEqualPointIDs)
            let first = ids.id(of: ClusterKey(firstLeaf: 0, zoom: 0))
            #expect(first > 0 && first > Int64(greatest ?? 0))
        }
    }

    @Test func `where points leave no room, the base is the least and that is known`() {
        let limit = UInt64(1) << 53
        // The last id, 31 above the key of the last leaf, is just below the limit.
        let room = ClusterIDs(abovePointID: limit - 11 * 32 - 1, leafCount: 10)
        #expect(room.base == Int64(limit) - 11 * 32 && !room.mayEqualPointIDs)
        let last = room.id(of: ClusterKey(firstLeaf: 9, zoom: 31))
        #expect(last < limit)
        let exact = ClusterIDs(abovePointID: limit - 10 * 32 - 1, leafCount: 10)
        #expect(exact.id(of: ClusterKey(firstLeaf: 9, zoom: 31)) == Int64(limit) - 1)
        for greatest in [limit - 10 * 32, limit, .max - 1, .max] {
            let full = ClusterIDs(abovePointID: greatest, leafCount: 10)
            #expect(full.base == 32 && full.mayEqualPointIDs)
        }
    }

    @Test func `an id and its key are each other's inverse`() throws {
        let ids = try #require(ClusterIDs(base: 96))
        for key in [
            ClusterKey(firstLeaf: 0, zoom: 0), ClusterKey(firstLeaf: 7, zoom: 31),
            ClusterKey(firstLeaf: ClusterKey.leafLimit - 1, zoom: 5),
        ] {
            let id = ids.id(of: key)
            #expect(id == 96 + key.firstLeaf * 32 + Int64(key.zoom))
            #expect(id == ids.id(firstLeaf: key.firstLeaf, zoom: Int(key.zoom)))
            #expect(ids.key(of: id) == key && ClusterKey(packed: key.packed) == key)
        }
        let end = 96 + ClusterKey.leafLimit * 32
        for id in [Int64.min, -1, 0, 95, end, .max] { #expect(ids.key(of: id) == nil) }
        #expect(ids.key(of: end - 1) == ClusterKey(firstLeaf: ClusterKey.leafLimit - 1, zoom: 31))
    }

    @Test func `a base is a multiple of 32 that ids can lie above`() {
        for base in [Int64(-32), 33, 1, 1 << 53, .max] { #expect(ClusterIDs(base: base) == nil) }
        for base in [0, 32, ClusterIDs.limit - 32] as [Int64] {
            #expect(ClusterIDs(base: base)?.base == base)
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
}
