import Geometry
import TestSupport
import Testing

@testable import Inspection

/// What margins must hold, held against each node drawn into each tile that it reaches.
struct CopyCheckTests {
    private static func node(_ x: Int64, _ y: Int64, extent: Int32, hash: UInt64) -> DrawnNode {
        var node = DrawnNode(
            layer: 0, position: .init(x: Int32(x), y: Int32(y)), extent: extent, hasID: true, id: 1)
        node.fingerprint = hash
        return node
    }

    /// The copies of a node in other tiles: where its place in the world lies within their margins.
    private static func copies(
        of node: DrawnNode, in tile: TileID, margin: Int64
    ) -> [(tile: TileID, node: DrawnNode)] {
        let (extent, tiles) = (Int64(node.extent), Int64(1) << Int64(tile.z))
        var found: [(TileID, DrawnNode)] = []
        for row in 0..<tiles {
            for column in 0..<tiles where column != Int64(tile.x) || row != Int64(tile.y) {
                for turn in [-tiles, 0, tiles] {
                    let x = (Int64(tile.x) - column + turn) * extent + Int64(node.position.x)
                    let y = (Int64(tile.y) - row) * extent + Int64(node.position.y)
                    guard (-margin...extent + margin).contains(x),
                        (-margin...extent + margin).contains(y)
                    else { continue }
                    let other = TileID(z: tile.z, x: UInt32(column), y: UInt32(row))
                    found.append(
                        (other, Self.node(x, y, extent: node.extent, hash: node.fingerprint)))
                }
            }
        }
        return found
    }

    /// From zoom 2 on no tile is its own neighbour, and none is twice that of another.
    @Test(arguments: [4_096, 512, 500] as [Int32], UInt8(2)...4)
    func `a node and its copies cancel out, and no copy less does`(extent: Int32, zoom: UInt8) {
        var random = SeededRandom(seed: UInt64(extent) + UInt64(zoom))
        let check = CopyCheck(buffer: 8)
        let margin = CopyCheck.margin(8, ofExtent: Int64(extent))
        let ends = [0, 1, margin, margin + 1, Int64(extent) / 2]
        let offsets = ends + ends.map { Int64(extent) - 1 - $0 } + [Int64(extent) - margin]
        var met: Set<Int> = []
        for _ in 0..<150 {
            let width = UInt32(1) << UInt32(zoom)
            let tile = TileID(
                z: zoom, x: .random(in: 0..<width, using: &random),
                y: .random(in: 0..<width, using: &random))
            let node = Self.node(
                offsets.randomElement(using: &random)!, offsets.randomElement(using: &random)!,
                extent: extent, hash: random.next())
            let copies = Self.copies(of: node, in: tile, margin: margin)
            var sums: [TileID: UInt64] = [:]
            var buckets: Set<UInt32> = []
            check.visit(node, in: tile) { neighbor, entry in
                sums[neighbor, default: 0] &+= entry.amount
                buckets.insert(entry.bucket)
            }
            #expect(Set(sums.keys) == Set(copies.map(\.tile)), "\(tile) \(node.position)")
            #expect(buckets == Set(copies.map { CopyCheck.bucket(of: $0.tile) }))
            for (other, copy) in copies {
                check.visit(copy, in: other) { own, entry in
                    #expect(own == other && entry.bucket == CopyCheck.bucket(of: other))
                    sums[own, default: 0] &+= entry.amount
                }
            }
            #expect(sums.values.allSatisfy { $0 == 0 }, "\(tile) \(node.position)")
            met.insert(copies.count)
        }
        #expect(met == [0, 1, 3] || met == [0, 1, 2, 3])
    }

    @Test func `a node of no grid is passed over, and a margin is rounded`() {
        var posts = 0
        let nothing = Self.node(0, 0, extent: 0, hash: 1)
        CopyCheck(buffer: 8).visit(nothing, in: TileID(z: 3, x: 1, y: 1)) { _, _ in posts += 1 }
        #expect(posts == 0)
        for (buffer, extent, margin) in [
            (8, 4_096, 64), (8, 512, 8), (0, 4_096, 0), (0.5, 512, 1), (0.49, 512, 0),
            (20, 100, 4), (8, 100, 2),
        ] as [(Double, Int64, Int64)] {
            #expect(CopyCheck.margin(buffer, ofExtent: extent) == margin)
        }
    }

    /// The tile of zoom 0 has itself to the east and west, and nothing to the north and south.
    @Test func `at zoom 0 there are no neighbours`() {
        for (x, y) in [(0, 0), (4_095, 2_000), (2_000, 4_095), (0, 4_095)] as [(Int64, Int64)] {
            var posts = 0
            CopyCheck(buffer: 8).visit(
                Self.node(x, y, extent: 4_096, hash: 3), in: TileID(z: 0, x: 0, y: 0)
            ) { _, _ in posts += 1 }
            #expect(posts == 0)
        }
    }
}
