import ArchiveContract
import Geometry
import TestSupport
import Testing

/// What blocks say together of a cluster's shape, against a look at each of its points.
struct OutlineTests {
    private struct Blocks: OutlineSource {
        var places: [GridPoint] = []
        var table: LeafBlockTable {
            LeafBlockTable(blocksOf: 6, leafCount: Int64(places.count))
        }
        /// How often points were looked at one by one.
        var looks = 0

        func own(_ leaves: Range<Int64>) -> [GridPoint] {
            Array(places[Int(leaves.lowerBound)..<Int(leaves.upperBound)])
        }

        func outline(ofBlock number: Int64) -> [GridPoint] {
            GridHull(of: own(table.leaves(ofBlock: number))).corners
        }

        mutating func points(of part: BlockParts.Part) -> [GridPoint] {
            looks += 1
            return own(part.leaves)
        }
    }

    /// Blocks each of which is so wide, around places that are so far apart.
    private static func blocks(
        _ count: Int, width: Double, seed: UInt64, towns: Int
    ) -> Blocks {
        var random = SeededRandom(seed: seed)
        let centers = (0..<towns).map { _ in random.unit() }
        var blocks = Blocks()
        for _ in 0..<count {
            let center = centers[Int(random.next() % UInt64(towns))]
            // Some blocks are as wide as is asked for, others a hundredth of it.
            let own = random.next() % 3 == 0 ? width : width / 100
            for _ in 0..<6 {
                let x = center + (random.unit() - 0.5) * own
                let place = WorldPoint(x: x - x.rounded(.down), y: 0.2 + random.unit() * 0.6)
                blocks.places.append(GridPoint(place))
            }
        }
        return blocks
    }

    /// The narrowest box: it leaves out the widest of all gaps between neighbours.
    private static func narrowest(_ points: [GridPoint]) -> ClosedRange<Double> {
        let xs = points.map(\.worldPoint.wrapped.x).sorted()
        let gaps = xs.indices.map { index in
            index == 0 ? xs[0] + 1 - xs[xs.count - 1] : xs[index] - xs[index - 1]
        }
        let widest = gaps.indices.max { gaps[$0] < gaps[$1] } ?? 0
        return xs[widest]...xs[widest] + 1 - gaps[widest]
    }

    @Test(arguments: UInt64(0)..<80)
    func `the box is the narrowest around all points, wherever blocks begin and end`(
        seed: UInt64
    ) throws {
        let width = [0.01, 0.2, 0.5, 0.9][Int(seed % 4)]
        let count = 2 + Int(seed % 14)
        var blocks = Self.blocks(count, width: width, seed: seed, towns: 1 + Int(seed / 4 % 5))
        let end = Int64(blocks.places.count)
        for leaves in [0..<end, 2..<end - 3, 6..<end, 0..<end - 6, 1..<3] where leaves.count > 1 {
            let points = blocks.own(leaves)
            let box = blocks.outlineBox(of: leaves)
            let wanted = Self.narrowest(points)
            #expect(abs(box.maxX - box.minX - wanted.upperBound + wanted.lowerBound) < 1e-12)
            let shift = (box.minX - wanted.lowerBound).rounded()
            #expect(abs(box.minX - shift - wanted.lowerBound) < 1e-12)
            #expect(box.minY == points.map(\.worldPoint.y).min())
            #expect(box.maxY == points.map(\.worldPoint.y).max())
        }
    }

    @Test func `no more than sixteen wide blocks are looked into`() {
        for (count, looks) in [(16, 16), (17, 0)] {
            var blocks = Blocks()
            for number in 0..<count {
                // Each holds a third of the world; the widest gap between points is 0.2.
                for x in [0.1, 0.2, 0.4, 0.6, 0.7, 0.9] {
                    let place = WorldPoint(x: x + Double(number) / 1_000, y: 0.5)
                    blocks.places.append(GridPoint(place))
                }
            }
            let end = Int64(blocks.places.count)
            let box = blocks.outlineBox(of: 0..<end)
            #expect(blocks.looks == looks)
            let points = blocks.own(0..<end)
            let width = box.maxX - box.minX
            let least = Self.narrowest(points)
            #expect(width >= least.upperBound - least.lowerBound - 1e-12 && width <= 1)
        }
    }

    @Test(arguments: UInt64(0)..<40)
    func `the hull is that of all points, laid out around the cluster`(seed: UInt64) throws {
        let width = [0.01, 0.3, 0.9][Int(seed % 3)]
        var blocks = Self.blocks(3 + Int(seed % 9), width: width, seed: seed, towns: 2)
        let end = Int64(blocks.places.count)
        for leaves in [0..<end, 2..<end - 3, 4..<7] {
            let record = ClusterRecord(
                key: ClusterKey(firstLeaf: leaves.lowerBound, zoom: 1),
                leafCount: Int64(leaves.count), position: blocks.places[Int(seed % 12)],
                parent: nil)
            let world = Int32(GridPoint.steps)
            let laidOut = blocks.own(leaves).map { point in
                var point = point
                while point.x - record.position.x > world / 2 { point.x -= world }
                while point.x - record.position.x < -world / 2 { point.x += world }
                return point
            }
            let corners = blocks.outlineCorners(of: record)
            #expect(corners == GridHull(of: laidOut).corners)
            for point in laidOut { #expect(GridHull(of: corners + [point]).corners == corners) }
        }
    }
}
