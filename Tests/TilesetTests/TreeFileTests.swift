import Foundation
import Geometry
import Points
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// The trees of cells in their files, and what tasks of the index read of them.
struct TreeFileTests {
    /// More points than two blocks hold, in few places, so that nodes reach over the ends of blocks.
    private static func builds() throws -> CellBuildTests.Builds {
        try CellBuildTests.Builds(
            [(SamplePoint.towns(10_000, seed: 11), ["clusters": ["radius": 60]])],
            tiles: ["maxZoom": 4])
    }

    private static func clustered(_ builds: CellBuildTests.Builds) throws -> CellBuild {
        let cells = try builds.plan(zoom: 0)
        try cells.cluster()
        return cells
    }

    @Test func `a tree lies in blocks of so many leaves, and clusters with their first leaf`()
        throws
    {
        let builds = try Self.builds()
        defer { withExtendedLifetime(builds) {} }
        let job = try Self.clustered(builds).job
        let file = try TreeFile(of: 0, job.passLimit, job)
        let unit = try #require(file.units.first)
        #expect(file.units.count == 1 && unit.leafCount == 10_000 && unit.blocks.count == 3)
        var (leaves, clusters) = (0, 0)
        for block in unit.blocks.indices {
            let nodes = try file.nodes(ofBlock: block, of: 0)
            let own = unit.leaves(ofBlock: block)
            #expect(own.lowerBound == 4_096 * block && own.count == nodes.points.count)
            for cluster in 0..<nodes.nodes.firsts.count {
                #expect(own.contains(Int(nodes.nodes.firsts[cluster])))
            }
            leaves += nodes.points.count
            clusters += nodes.nodes.firsts.count
        }
        let all = try file.nodes(of: 0)
        #expect(all.points.count == leaves && leaves == 10_000)
        #expect(all.nodes.firsts.count == clusters && clusters > 0)
        let roots = (0..<unit.firstLeaves.count).map(unit.leaves(ofRoot:))
        #expect(roots.first?.lowerBound == 0 && roots.last?.upperBound == 10_000)
        #expect(zip(roots, roots.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        // Otherwise nothing here reaches over the end of a block.
        #expect(roots.contains { $0.lowerBound < 4_096 && $0.upperBound > 4_096 })
    }

    @Test func `tasks read each leaf once, and the archive is that of a build at once`() throws {
        let builds = try Self.builds()
        let cells = try Self.clustered(builds)
        try cells.top()
        let job = cells.job
        var places: [Int: WorldPoint] = [:]
        let tasks = try TopClusters(of: job).tasks
        for task in tasks.indices {
            for var leaves in try CellLeaves.all(ofTask: task, LeafSquares(job, tasks)) {
                var nodes = CellNodes(keys: job.keys)
                // By sevens, so that nodes come in pieces.
                while let next = leaves.next {
                    let before = nodes.points.count
                    let count = try leaves.take(below: next + 7, into: &nodes)
                    #expect((1...7).contains(count) && nodes.points.count == before + count)
                    for leaf in 0..<count {
                        let place = nodes.points.position(of: before + leaf)
                        #expect(places.updateValue(place, forKey: next + leaf) == nil)
                    }
                }
            }
        }
        #expect(places.keys.sorted() == Array(0..<10_000))
        let whole = try builds.build("whole.pmtiles", in: PMTiles.self)
        #expect(whole.layers.first?.points == 10_000)
        try cells.tiles()
        _ = try cells.merge(to: builds.path("cut.pmtiles"), in: PMTiles.self)
        try SharedMergeTests.expectSame(builds, "whole.pmtiles", "cut.pmtiles")
    }

    private typealias Change = @Sendable (inout Tail) -> Void

    private struct Tail {
        var firstLeaves: [Int] = [0, 1, 5_000]
        var leafCount = 6_000
        var blocks = [[100, 200], [200, 300]]
        var units = 1
        /// Of each node, or none.
        var sums: [UInt64] = []
        /// In an excerpt, of each node.
        var numbers: [Int] = []
        var tasks: [Int] = []
    }

    private static let changes: [(name: String, change: Change, isRead: Bool)] = [
        ("as it should be", { _ in }, true),
        ("another number of hierarchies", { $0.units = 2 }, false),
        ("fewer leaves than none", { $0.leafCount = -1 }, false),
        ("more leaves than numbers", { $0.leafCount = 1 << 40 }, false),
        ("leaves without a block", { $0.leafCount = 8_193 }, false),
        ("a block without leaves", { $0.leafCount = 4_096 }, false),
        ("a block that ends before it begins", { $0.blocks[0] = [200, 100] }, false),
        ("two nodes that begin with one leaf", { $0.firstLeaves[1] = 0 }, false),
        ("nodes out of order", { $0.firstLeaves[0] = 2 }, false),
        ("a node behind all leaves", { $0.firstLeaves[2] = 6_000 }, false),
        ("a sum for each node", { $0.sums = [1, 2, 3] }, true),
        ("a sum too few", { $0.sums = [1, 2] }, false),
        ("a number for each node", { $0.numbers = [7, 8, 9] }, true),
        ("a number too few", { $0.numbers = [7, 8] }, false),
        ("the last leaf", { $0.firstLeaves[2] = 5_999 }, true),
    ]

    @Test(arguments: changes.indices)
    func `numbers of a tree that cannot be are refused`(index: Int) throws {
        let (name, change, isRead) = Self.changes[index]
        let builds = try Self.builds()
        defer { withExtendedLifetime(builds) {} }
        let job = try builds.plan(zoom: 1).job
        try job.files.makeFolder("cluster")
        let path = job.files.tree(of: job.division.cells[0].cellName, 1)
        var tail = Tail()
        change(&tail)
        var sink = BlockSink()
        sink.write(Array(0..<tail.units)) { sink, _ in
            sink.write(counts: Column(tail.firstLeaves))
            sink.write(tail.leafCount)
            sink.write(tail.blocks) { sink, block in for number in block { sink.write(number) } }
            sink.write(Column(tail.sums))
            sink.write(counts: Column(tail.numbers))
        }
        sink.write(tail.tasks)
        var writer = try job.write(path)
        try writer.finish(tail: sink)
        let read = Result { try TreeFile(of: 0, 1, job) }
        switch read {
        case .success(let file): #expect(isRead && file.units.count == 1, "\(name)")
        case .failure(let error):
            #expect(!isRead && error as? JobError == .damaged(path: path), "\(name): \(error)")
        }
    }

    @Test func `a block of another number of leaves is refused`() throws {
        let builds = try Self.builds()
        defer { withExtendedLifetime(builds) {} }
        let job = try builds.plan(zoom: 1).job
        try job.files.makeFolder("cluster")
        let path = job.files.tree(of: job.division.cells[0].cellName, 1)
        var writer = try TreeFileWriter(path, job)
        var nodes = CellNodes(keys: job.keys)
        nodes.nodes.leafParentZooms.append(0)
        var batch = PointBatch()
        batch.append(WorldPoint(x: 0.5, y: 0.5))
        nodes.points.append(batch)
        try writer.append(nodes, firstLeaves: Column([0]))
        try writer.finish()
        #expect(try TreeFile(of: 0, 1, job).nodes(of: 0).points.count == 1)
        var other = try job.write(path + "x")
        var (block, tail) = (BlockSink(), BlockSink())
        block.write(nodes)
        let start = other.size
        try other.append(block.bytes)
        tail.write([other.size]) { sink, end in
            sink.write(counts: Column([0]))
            sink.write(2)
            sink.write([start..<end]) { $0.write($1) }
            sink.write(Column<UInt64>())
            sink.write(counts: Column<Int>())
        }
        tail.write([Int]())
        try other.finish(tail: tail)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + "x", toPath: path)
        let file = try TreeFile(of: 0, 1, job)
        #expect(throws: JobError.damaged(path: path)) { try file.nodes(ofBlock: 0, of: 0) }
    }

    /// A task must not wait for leaves that come twice.
    @Test(.timeLimit(.minutes(1)))
    func `leaves of one number in two cells are told of`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(60, seed: 7), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 3])
        let cells = try builds.tiled(zoom: 1)
        let job = cells.job
        let numbers = try (0..<4).map { try CellNumbers(of: $0, job) }
            .filter { $0.firstLeaves[0].count > 0 }
        var other = numbers[1]
        var firsts = (0..<other.firstLeaves[0].count).map { other.firstLeaves[0][$0] }
        firsts[0] = numbers[0].firstLeaves[0][0]
        other.firstLeaves[0] = Column(firsts)
        try FileManager.default.removeItem(atPath: job.files.numbers(of: other.name))
        try other.write(for: job)
        let error = #expect(throws: JobError.self) { try cells.index() }
        #expect("\(try #require(error))".contains("is in no cell, or in several"))
    }
}
