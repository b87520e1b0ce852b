import Clustering
import Foundation
import Geometry
import Points
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// Files of squares above the cells, and of pages, that another program might have written: whole, and with numbers that do
/// not fit the job.
struct DamagedLevelTests {
    private let builds: CellBuildTests.Builds
    private let cells: CellBuild
    private var job: CellJob { cells.job }
    /// One above the cells that has nodes.
    private let square: Int

    /// A job of one layer, with squares above its cells.
    init() throws {
        builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(60, seed: 7), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 6])
        cells = try builds.plan(zoom: 2, levelZooms: 1)
        try cells.cluster()
        try cells.top()
        let job = cells.job
        square = try #require(
            job.levels.levels[1].numbers.first {
                try CellFiles(job).effort(of: $0, job.passLimit(of: $0)).counts[0] > 0
            })
    }

    @Test func `nodes that are handed up are no more than points, and counted`() throws {
        let files = CellFiles(job)
        let passes = job.passLimit(of: square)
        let path = job.files.frontier(of: job.name(of: square), passes)
        let effort = try files.effort(of: square, passes)
        #expect(effort.counts.count == 1 && effort.counts[0] > 0)
        for (counts, isRead) in [
            ([60], true), ([0], true), ([61], false), ([-1], false), ([], false), ([1, 1], false),
            ([.max], false),
        ] {
            var changed = effort
            changed.counts = counts
            var head = BlockSink()
            head.write(changed)
            let wasRead = try job.reads(path) {
                try $0.append(head.bytes)
                return nil
            } _: {
                // A job reads an effort once.
                let again = try CellJob(in: job.folder, options: job.options)
                let read = try CellFiles(again).effort(of: square, passes)
                #expect(read.counts == counts)
            }
            #expect(wasRead == isRead, "\(counts)")
        }
    }

    @Test func `clusters below nodes are counted from 0`() throws {
        let files = CellFiles(job)
        let passes = job.passLimit(of: square)
        let path = job.files.frontier(of: job.name(of: square), passes)
        let effort = try files.effort(of: square, passes)
        let (ids, units) = try files.frontier(of: square, passes)
        for (all, held, isRead) in [
            (0, 0, true), (-1, 0, false), (0, -1, false), (.max, 0, false),
            (1 << 39, 1 << 39, true),
        ] {
            var unit = units[0]
            (unit.clusterCount, unit.heldCount) = (all, held)
            try FileManager.default.removeItem(atPath: path)
            try files.write([unit], ids, effort, of: square, passes)
            let read = Result { try files.frontier(of: square, passes).units[0].clusterCount }
            switch read {
            case .success(let count): #expect(isRead && count == all)
            case .failure(let error):
                #expect(!isRead && error as? JobError == .damaged(path: path))
            }
        }
    }

    @Test func `leaves of squares ascend, and large clusters end within them`() throws {
        let path = job.files.tree(of: job.name(of: square), job.passLimit(of: square))
        for (firsts, leafCount, first, leaves, isRead) in [
            ([0, 3], 9, 3, 6, true), ([0], 9, 0, 9, true), ([], 0, -1, 0, true),
            ([1, 3], 9, 3, 6, false), ([0, 0], 9, 3, 6, false), ([0, 9], 9, 3, 6, false),
            ([], 9, 3, 6, false), ([0, 3], 9, 9, 0, false), ([0, 3], 9, 3, 7, false),
            ([0, 3], 9, -1, 1, false), ([0, 3], 9, 3, -1, false), ([0, 3], 9, 3, .max, false),
            ([0, 3], -1, 0, 0, false), ([0, 3], 1 << 47, 0, 0, true),
            ([0, 3], 1 << 48, 0, 0, false),
        ] as [([Int], Int, Int, Int, Bool)] {
            var tail = BlockSink()
            tail.write(varint: 1)
            tail.write(counts: Column(firsts))
            tail.write(leafCount)
            // An empty square has no large cluster.
            let large = leafCount == 0 ? [] : [LargeNode(first: first, leaves: leaves, zoom: 3)]
            tail.write(large) { $0.write($1) }
            for _ in 0..<3 { tail.write(0..<0) }
            let wasRead = try job.reads(path) { _ in
                tail
            } _: {
                let unit = try UpperFile(of: square, job).units[0]
                #expect(unit.large == large && unit.leafCount == leafCount)
            }
            #expect(wasRead == isRead, "\(firsts) \(leafCount) \(first) \(leaves)")
        }
    }

    @Test func `nodes of squares below are of squares that there are`() throws {
        let cellCount = job.division.cells.count
        let path = job.files.members(of: job.name(of: square), job.passLimit(of: square))
        for (number, root, rows, isRead) in [
            (0, 1, 1, true), (cellCount - 1, 0, 1, true), (cellCount, 0, 1, false),
            (-1, 0, 1, false),
            (0, 2, 1, false), (0, 0, 2, false),
        ] as [(Int, UInt32, Int, Bool)] {
            var members = UpperMembers(square: number)
            members.rows = Column(repeating: 0, count: rows)
            (members.roots, members.offsets) = (Column([root]), Column([0]))
            members.parentZooms = Column([1])
            let wasRead = try job.reads(path) { writer in
                var block = BlockSink()
                block.write([members]) { $0.write($1) }
                try writer.append(block.bytes)
                return nil
            } _: {
                let read = try UpperMembersFile(of: square, [2], job, in: job.files)
                #expect(read.units[0].map(\.square) == [number])
            }
            #expect(wasRead == isRead, "\(number) \(root) \(rows)")
        }
    }

    /// That of a node that no square holds leaves would be missing.
    @Test func `a node that no square above holds is told of`() throws {
        let counts = try job.levels.numbers.map {
            try CellFiles(job).effort(of: $0, job.passLimit(of: $0)).counts
        }
        let highest = job.levels.highest.numbers.map { FrontierNumbers.Nodes(counts: counts[$0]) }
        func numberAll(_ counts: [[Int]]) throws -> Int {
            var squares = 0
            try FrontierNumbers(of: job, counts: counts, highest: highest).forEachSquare {
                squares += $0.count
            }
            return squares
        }
        #expect(try numberAll(counts) == job.levels.numbers.count)
        var more = counts
        more[0][0] += 1
        #expect(throws: JobError.self) {
            _ = try numberAll(more)
        }
    }

    @Test func `pages lead to blocks that there are, and their ids ascend`() throws {
        let path = job.files.pages(ofLayer: 0, in: "0-0-0")
        try job.files.makeFolder("index")
        for (ids, task, block, firsts, isRead) in [
            ([5, 6], 1, 2, [7, 8], true), ([5], 0, 0, [], true), ([6, 5], 1, 2, [], false),
            ([5, 5], 1, 2, [], false), ([0], 0, 0, [], false), ([5], 2, 0, [], false),
            ([5], 1, 3, [], false), ([5], 0, 1, [], false), ([], 0, 0, [8, 7], false),
            ([], 1, 3, [7], false), ([-5], 0, 0, [], false),
        ] as [([Int64], Int, Int, [Int64], Bool)] {
            let place = CellPages.Place(task: task, block: block)
            var pages = CellPages()
            pages.pages = firsts.map { .init(first: $0, blocks: [place], bytes: [1], sum: "a") }
            (pages.ids, pages.places) = (ids, ids.map { _ in place })
            try? FileManager.default.removeItem(atPath: path)
            try pages.write(to: path, following: 9, job)
            let read = Result { try CellPages(in: path, following: 9, blocks: [1, 3], job) }
            switch read {
            case .success(let own): #expect(isRead && own == pages)
            case .failure(let error):
                #expect(!isRead && error as? JobError == .damaged(path: path), "\(ids) \(task)")
            }
            if isRead {
                let other = try CellPages(in: path, following: 8, blocks: [1, 3], job)
                #expect(other == nil)
            }
        }
    }
}
