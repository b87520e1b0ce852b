import ArchiveContract
import Geometry
import TestSupport
import Testing

/// What the walk over blocks finds, against answers that look at all leaves and clusters each time.
struct ReachWalkTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `each block is told what lies behind it`(seed: UInt64) throws {
        let sample = SampleBlocks(seed: seed)
        let reaches = try sample.walked()
        for (number, reach) in reaches.enumerated() {
            let leaves = sample.leaves(ofBlock: number)
            let own = sample.clusters.filter { leaves.contains($0.key.firstLeaf) }
            let wanted = sample.worthACopy(in: leaves)
            #expect(reach.worthACopy == wanted)
            let index = reach.index(
                ofBlock: Int64(number), leaves: leaves, clusters: own,
                weights: wanted.map { _ in 1_000 }
            ) { [UInt8($0)] }
            #expect(index.hull == GridHull(of: sample.points(leaves)).corners)
            #expect(index.rows == sample.rows(in: leaves))
            #expect(index.shapes == sample.shapes(in: leaves))
            // As many as weigh 48,000 together.
            #expect(index.copied == Array(wanted.prefix(48)))
            #expect(index.copies == (wanted.isEmpty ? [] : [UInt8(min(wanted.count, 48))]))
        }
    }

    @Test func `blocks tell at once which leaves earlier ones want`() throws {
        let sample = SampleBlocks(seed: 7)
        var walk = ReachWalk(sample.layout)
        var wanted: [Int: [Int64]] = [:]
        for number in 0..<sample.blockCount {
            for leaf in try walk.enter(sample.block(number)) {
                #expect(sample.leaves(ofBlock: number).contains(leaf.leaf))
                wanted[leaf.block, default: []].append(leaf.leaf)
            }
        }
        for (number, reach) in try walk.finish().enumerated() {
            #expect(reach.worthACopy == wanted[number] ?? [])
        }
    }

    @Test func `blocks and clusters that do not fit are refused`() throws {
        let layout = try #require(LeafBlockLayout(leavesPerBlock: 5))
        let points = (0..<5).map { GridPoint(x: $0, y: 0) }
        func cluster(_ leaves: Range<Int64>, _ zoom: UInt8, in parent: ClusterKey? = nil)
            -> ClusterRecord
        {
            ClusterRecord(
                key: ClusterKey(firstLeaf: leaves.lowerBound, zoom: zoom),
                leafCount: Int64(leaves.count), position: GridPoint(x: 0, y: 0), parent: parent)
        }
        func fault(_ blocks: [(Range<Int64>, [GridPoint], [ClusterRecord])]) -> ReachFault? {
            #expect(throws: ReachFault.self) {
                var walk = ReachWalk(layout)
                for (leaves, points, clusters) in blocks {
                    _ = try walk.enter(
                        ReachWalk.Block(leaves: leaves, points: points, clusters: clusters))
                }
                _ = try walk.finish()
            }
        }
        let outer = cluster(0..<8, 2)
        #expect(fault([(5..<10, points, [])]) == .missingBlock(0))
        #expect(fault([(0..<5, points, []), (10..<15, points, [])]) == .missingBlock(1))
        // One that ends behind all leaves.
        #expect(fault([(0..<5, points, [cluster(2..<9, 1)])]) == .missingLeaf(5))
        // Fewer points than a cluster has leaves there.
        #expect(fault([(0..<5, Array(points[..<4]), [outer])]) == .missingLeaf(4))
        // In a cluster that is not around it, over the end of the one around it, in another block.
        let stray = cluster(1..<3, 4)
        #expect(fault([(0..<5, points, [outer, stray])]) == .strayCluster(stray.key))
        let over = cluster(6..<9, 4, in: outer.key)
        #expect(
            fault([(0..<5, points, [outer]), (5..<10, points, [over])]) == .strayCluster(over.key))
        #expect(fault([(0..<5, points, [over])]) == .strayCluster(over.key))
        // Out of order.
        let late = cluster(3..<5, 1)
        let early = cluster(1..<2, 1)
        #expect(fault([(0..<5, points, [late, early])]) == .strayCluster(early.key))
    }
}

/// A random forest over some blocks of points.
private struct SampleBlocks {
    let layout: LeafBlockLayout
    private(set) var clusters: [ClusterRecord] = []
    private var places: [GridPoint] = []

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        layout = LeafBlockLayout(leavesPerBlock: [1, 3, 5, 8, 25][Int(seed % 5)])!
        let count = Int64(20 + random.next() % 300)
        // In one place, all around the world, and on both sides of the antimeridian.
        let spread = [1 << 12, 1 << 30, 1 << 26, 1 << 29][Int(seed / 5 % 4)]
        for _ in 0..<count {
            let x = (Int(random.next() % UInt64(spread)) - spread / 2) & (1 << 30 - 1)
            places.append(GridPoint(x: Int32(x), y: Int32(random.next() % (1 << 20))))
        }
        var first: Int64 = 0
        while first < count {
            let size = min(count - first, 1 + Int64(random.next() % 200))
            grow(first..<first + size, in: nil, &random)
            first += size
        }
        clusters.sort { $0.key < $1.key }
    }

    private mutating func grow(
        _ leaves: Range<Int64>, in parent: ClusterKey?, _ random: inout SeededRandom
    ) {
        let zoom = parent.map { $0.zoom + 1 } ?? 0
        guard leaves.count > 1, zoom < 12 else { return }
        let key = ClusterKey(firstLeaf: leaves.lowerBound, zoom: zoom)
        clusters.append(
            ClusterRecord(
                key: key, leafCount: Int64(leaves.count),
                position: places[Int(leaves.lowerBound)], parent: parent))
        var rest = leaves
        while !rest.isEmpty {
            let most = rest.count == leaves.count ? rest.count - 1 : rest.count
            // Many single ones.
            let size = random.next() % 3 > 0 ? 1 : 1 + Int64(random.next() % UInt64(most))
            grow(rest.lowerBound..<rest.lowerBound + size, in: key, &random)
            rest = rest.lowerBound + size..<rest.upperBound
        }
    }

    var blockCount: Int { Int(layout.blockCount(forLeaves: Int64(places.count))) }

    func leaves(ofBlock number: Int) -> Range<Int64> {
        layout.leaves(ofBlock: Int64(number)).clamped(to: 0..<Int64(places.count))
    }

    func points(_ leaves: Range<Int64>) -> [GridPoint] {
        Array(places[Int(leaves.lowerBound)..<Int(leaves.upperBound)])
    }

    func block(_ number: Int) -> ReachWalk.Block {
        let leaves = leaves(ofBlock: number)
        return ReachWalk.Block(
            leaves: leaves, points: points(leaves),
            clusters: clusters.filter { leaves.contains($0.key.firstLeaf) })
    }

    func walked() throws -> [BlockReach] {
        var walk = ReachWalk(layout)
        for number in 0..<blockCount { _ = try walk.enter(block(number)) }
        return try walk.finish()
    }

    // MARK: The slow answers

    private func reaching(_ leaves: Range<Int64>) -> [ClusterRecord] {
        clusters.filter {
            leaves.contains($0.key.firstLeaf) && $0.leaves.upperBound > leaves.upperBound
        }
    }

    func rows(in leaves: Range<Int64>) -> [ClusterRecord] {
        let parents = Set(reaching(leaves).map(\.key))
        return clusters.filter { cluster in
            let first = cluster.key.firstLeaf
            return leaves.contains(first)
                || first < leaves.lowerBound && cluster.leaves.contains(leaves.lowerBound)
                || first >= leaves.upperBound && cluster.parent.map(parents.contains) == true
        }
    }

    func worthACopy(in leaves: Range<Int64>) -> [Int64] {
        var wanted: Set<Int64> = []
        for cluster in clusters where leaves.contains(cluster.key.firstLeaf) {
            wanted.formUnion(cluster.leaves.prefix(10).filter { $0 >= leaves.upperBound })
        }
        // What lies before the last of these is there in any case.
        if let last = wanted.max() { wanted.formUnion(leaves.upperBound...last) }
        for cluster in reaching(leaves) {
            let children = clusters.filter { $0.parent == cluster.key }
            let singles = cluster.leaves.filter { leaf in
                leaf >= leaves.upperBound && !children.contains { $0.leaves.contains(leaf) }
            }
            wanted.formUnion(singles.prefix(64))
        }
        return wanted.sorted()
    }

    func shapes(in leaves: Range<Int64>) -> [ClusterShape] {
        var source = AllPoints(layout: layout, sample: self)
        return reaching(leaves).map { cluster in
            let world = Int32(GridPoint.steps)
            let laidOut = points(cluster.leaves).map { point in
                var point = point
                while point.x - cluster.position.x > world / 2 { point.x -= world }
                while point.x - cluster.position.x < -world / 2 { point.x += world }
                return point
            }
            return ClusterShape(
                box: GridBox(source.outlineBox(of: cluster.leaves))!,
                corners: GridHull(of: laidOut).corners)
        }
    }

    /// All blocks at hand, as a query has them.
    private struct AllPoints: OutlineSource {
        let layout: LeafBlockLayout
        let sample: SampleBlocks

        func outline(ofBlock number: Int64) -> [GridPoint] {
            GridHull(of: sample.points(sample.leaves(ofBlock: Int(number)))).corners
        }

        func points(of part: BlockParts.Part) -> [GridPoint] { sample.points(part.leaves) }
    }
}
