import Clustering
import Geometry
import JSON
import Points
import TestSupport
import Testing

@testable import Tileset

/// The sums by which a job knows that files of the one before are its own: another for anything that differs.
struct TakeOverSumTests {
    /// Two nodes that were handed up: one of three leaves and two clusters, and one of two leaves and one.
    private static func nodes() -> CellNodes {
        let keys = AttributeKeys()
        let (key, other) = (keys.intern("n"), keys.intern("m"))
        var nodes = CellNodes(keys: keys)
        nodes.nodes.leafParentZooms = Column([1, 2, 2, 1, 1])
        nodes.nodes.firsts = Column([0, 1, 3])
        nodes.nodes.leaves = Column([3, 2, 2])
        nodes.nodes.zooms = Column([1, 2, 1])
        nodes.nodes.parentZooms = Column([-1, 1, -1])
        nodes.nodes.xs = Column([0.5, 0.25, 0.75])
        nodes.nodes.ys = Column([0.125, 0.5, 0.5])
        nodes.nodes.weights = Column([3, 2, 2])
        var batch = PointBatch()
        for number in 0..<5 {
            batch.records.append(key, integer: Int64(number))
            batch.append(WorldPoint(x: Double(number) / 8, y: 0.5), id: UInt64(number))
        }
        nodes.points.append(batch)
        for number in 0..<3 {
            var records = RecordBuilder()
            records.append(other, integer: Int64(number))
            nodes.records.append(records.bytes, ends: [UInt32(records.byteCount)].span)
        }
        return nodes
    }

    private static func sums(_ change: (inout CellNodes) -> Void = { _ in }) -> [UInt64] {
        var nodes = nodes()
        change(&nodes)
        let sums = nodes.sums(ofRoots: Column([0, 3]))
        return (0..<sums.count).map { sums[$0] }
    }

    @Test func `a sum over a node is another if anything below it is, and over others is not`() {
        let usual = Self.sums()
        #expect(usual.count == 2 && usual[0] != usual[1] && Self.sums() == usual)
        let changes: [(root: Int, change: (inout CellNodes) -> Void)] = [
            (0, { $0.nodes.leafParentZooms[2] = 1 }), (1, { $0.nodes.leafParentZooms[3] = 0 }),
            (0, { $0.nodes.leaves[1] = 3 }), (0, { $0.nodes.zooms[1] = 3 }),
            (0, { $0.nodes.parentZooms[1] = 0 }), (0, { $0.nodes.parentZooms[0] = 0 }),
            (0, { $0.nodes.firsts[1] = 0 }), (0, { $0.nodes.xs[0] = 0.6 }),
            (0, { $0.nodes.ys[1] = 0.6 }), (0, { $0.nodes.weights[0] = 4 }),
            (1, { $0.nodes.leaves[2] = 1 }), (1, { $0.nodes.zooms[2] = 2 }),
            (1, { $0.nodes.xs[2] = 0.6 }), (1, { $0.nodes.weights[2] = 4 }),
            (1, { $0.nodes.firsts[2] = 4 }),
        ]
        for (index, (root, change)) in changes.enumerated() {
            let sums = Self.sums(change)
            #expect(sums[root] != usual[root] && sums[1 - root] == usual[1 - root], "\(index)")
        }
        #expect(Self.sums { $0.nodes.weights = Column() } != usual)
        // A record of a cluster, and a point.
        var other = Self.nodes()
        other.records.truncate(to: 2)
        other.records.append(record: 0, of: other.records)
        let sums = other.sums(ofRoots: Column([0, 3]))
        #expect(sums[0] == usual[0] && sums[1] != usual[1])
    }

    @Test func `where the nodes of a cell begin is not in their sums`() {
        // The same node alone, as all of a cell.
        var alone = CellNodes(keys: AttributeKeys())
        let all = Self.nodes()
        alone = CellNodes(keys: all.records.keys)
        alone.append(all, leaves: 3..<5, clusters: 2..<3)
        alone.nodes.firsts[0] = 0
        #expect(alone.sums(ofRoots: Column([0]))[0] == Self.sums()[1])
    }

    /// Ids of clusters at some places, as a cell tells of them.
    private static func ids(
        _ clusters: [(unit: Int, zoom: Int, leaves: Int, x: Double, y: Double, id: Int64)]
    ) throws -> UnusualIDs {
        var sink = BlockSink()
        sink.write(clusters) { sink, cluster in
            sink.write(cluster.unit, cluster.zoom, cluster.leaves, cluster.x, cluster.y, cluster.id)
        }
        var source = BlockSource(sink.bytes)
        return try UnusualIDs(from: &source)
    }

    @Test func `a sum over ids is of those around a square, and another if one differs`() throws {
        let square = TileID(z: 2, x: 1, y: 1)
        let near = (unit: 0, zoom: 3, leaves: 5, x: 0.3, y: 0.3, id: Int64(77))
        let beside = (unit: 0, zoom: 3, leaves: 5, x: 0.55, y: 0.3, id: Int64(78))
        let far = (unit: 0, zoom: 3, leaves: 5, x: 0.9, y: 0.9, id: Int64(79))
        func sum(
            _ clusters: [(unit: Int, zoom: Int, leaves: Int, x: Double, y: Double, id: Int64)],
            within distance: Double = 0.01
        ) throws -> UInt64 {
            try Self.ids(clusters).sum(around: square, within: distance)
        }
        let usual = try sum([near])
        #expect(try usual != 0 && sum([far]) == 0 && sum([]) == 0)
        #expect(try sum([near, beside, far]) == usual)
        #expect(try sum([near, beside], within: 0.1) != usual)
        #expect(try sum([near, beside], within: 0.1) == sum([beside, near], within: 0.1))
        for change in 0..<6 {
            var other = near
            switch change {
            case 0: other.unit = 1
            case 1: other.zoom = 4
            case 2: other.leaves = 6
            case 3: other.x = 0.31
            case 4: other.y = 0.31
            default: other.id = 76
            }
            #expect(try sum([other]) != usual, "\(change)")
        }
        // Past the world's end it goes on at the other.
        let west = TileID(z: 2, x: 0, y: 1)
        let east = try Self.ids([(0, 3, 5, 0.995, 0.3, 77)])
        #expect(east.sum(around: west, within: 0.01) != 0)
        #expect(east.sum(around: west, within: 0.001) == 0)
    }

    @Test func `what files follow from is known where all of it is`() {
        let cell = TileID(z: 1, x: 0, y: 1)
        func sum(_ kind: String = "tiles", _ change: (inout InputSum) -> Void) -> UInt64? {
            var sum = InputSum(kind)
            change(&sum)
            return sum.value
        }
        let ground = CellGround(margin: 0.5, reach: 0.75, points: 9)
        let usual = sum { $0.include(ground, of: cell) }
        #expect(usual != nil && sum { $0.include(ground, of: cell) } == usual)
        var others: Set<UInt64?> = [usual]
        others.insert(sum("leaves") { $0.include(ground, of: cell) })
        others.insert(sum { $0.include(ground, of: TileID(z: 1, x: 1, y: 0)) })
        others.insert(sum { $0.include(CellGround(margin: 0.6, reach: 0.75, points: 9), of: cell) })
        others.insert(sum { $0.include(CellGround(margin: 0.5, reach: 0.8, points: 9), of: cell) })
        others.insert(sum { $0.include(CellGround(margin: 0.5, reach: 0.75, points: 8), of: cell) })
        for number in [0, 1] as [UInt64] { others.insert(sum { $0.include(number) }) }
        var block = BlockSink()
        block.write(5)
        others.insert(sum { $0.include(block) })
        others.insert(sum { _ in })
        #expect(others.count == 10 && !others.contains(nil))
        let unknown = CellGround(margin: 0.5, reach: 0.75, points: nil)
        #expect(sum { $0.include(unknown, of: cell) } == nil)
        var sink = BlockSink()
        sink.write(unknown)
        sink.write(ground)
        var source = BlockSource(sink.bytes)
        #expect(
            (try? CellGround(from: &source)) == unknown
                && (try? CellGround(from: &source)) == ground)
    }

    @Test(arguments: [false, true])
    func `nodes that tiles of a cell may show stand two radii a pass from it at most`(
        heat: Bool
    ) throws {
        let builds = try CellBuildTests.Builds(
            [
                (SamplePoint.towns(50, seed: 3), ["clusters": ["radius": 40]]),
                (SamplePoint.towns(50, seed: 4), ["clusters": ["radius": 60]]),
            ], tiles: ["maxZoom": 7, "heat": .bool(heat)])
        let job = try builds.plan(zoom: 1).job
        #expect(job.cutZoom == 5 && job.layerOptions.allSatisfy { $0.maxZoom == 6 })
        let (widest, passes) = (60.0 / 512, Double(job.passLimit))
        let radii: Double = widest / 32 + widest / 64
        let expected: Double = 2 * passes * radii + BorderReach.reach(job.recipe.tiles, from: 3)
        #expect(abs(job.reachOfNodes(from: job.cutZoom) / expected - 1) < 1e-12)
        #expect(job.margin(cutZoom: job.cutZoom) == 26 * widest / 32)
        #expect(
            job.firstLeaves == [0, 50] && job.keepsFiles && job.passLimit == job.plan.passLimit)
    }
}
