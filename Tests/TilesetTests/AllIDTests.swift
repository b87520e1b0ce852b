import Clustering
import Foundation
import Geometry
import Points
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// The ids of all clusters of a job, one after another, out of the files of its tiles.
struct AllIDTests {
    private let builds: CellBuildTests.Builds
    private let cells: CellBuild
    private var job: CellJob { cells.job }
    /// How many nodes the first cell handed up.
    private let roots: Int

    init() throws {
        builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(60, seed: 7), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 3])
        cells = try builds.tiled(zoom: 1)
        roots = try CellNumbers(of: 0, cells.job).firstLeaves[0].count
    }

    /// One cluster with an id that begins so many leaves behind a node.
    private static func nodes(_ id: Int64, first: UInt32) -> CellNodes {
        var nodes = CellNodes(keys: AttributeKeys())
        nodes.nodes.firsts = Column([first])
        nodes.ids = Column([id])
        return nodes
    }

    /// Gives a part of the tiles other ids: each of a cluster at a node.
    private func write(
        _ ids: [(id: Int64, root: Int)], part: Int
    ) throws {
        var sorting = IDSorting()
        for (id, root) in ids {
            // The clusters of a hierarchy behind one of so many nodes without any.
            var own = IDSorting()
            own.add(CellNodes(keys: AttributeKeys()), Column(0..<UInt32(root)))
            own.add(Self.nodes(id, first: 2), Column([0]))
            sorting = ids.count == 1 ? own : sorting
            if ids.count > 1 { sorting.add(Self.nodes(id, first: 4)) }
        }
        let path = IndexPlan.path(ofPart: part, job)
        var writer = try TilePartWriter(path, job)
        try writer.finish(DrawnBoxes(), leftOut: [:], [sorting.sorted], inputs: nil)
    }

    private func all() throws -> [(id: Int64, leaf: Int64)] {
        var all: [(Int64, Int64)] = []
        try AllIDs(job: job, plan: IndexPlan(collectedFrom: job)).forEach { all.append(($0, $1)) }
        return all
    }

    @Test func `they ascend, each with the first leaf of its cluster`() throws {
        let found = try all()
        #expect(found.count > 5 && found.map(\.id) == found.map(\.id).sorted())
        _ = try builds.build("whole.mbtiles")
        let archive = try Archive(path: builds.path("whole.mbtiles"))
        #expect(try archive.leafBlockTable().leafCount == 60)
        #expect(found.allSatisfy { (0..<60).contains($0.leaf) })
        #expect(Set(found.map(\.id)).count == found.count)
    }

    @Test func `one at a node that its cell did not hand up is refused by the file's name`() throws
    {
        let path = IndexPlan.path(ofPart: 1, job)
        let firsts = try CellNumbers(of: 0, job).firstLeaves[0]
        #expect(roots > 0)
        try write([(1 << 60, roots - 1)], part: 1)
        #expect(try all().last?.leaf == Int64(firsts[roots - 1]) + 2)
        for root in [roots, roots + 5] {
            try write([(1 << 60, root)], part: 1)
            #expect(throws: JobError.damaged(path: path)) { _ = try all() }
        }
        // Above the cut leaves count from the layer's first.
        try write([(1 << 60, 0)], part: 0)
        try write([(1 << 61, 0)], part: 1)
        #expect(try all().suffix(2).map(\.leaf) == [2, Int64(firsts[0]) + 2])
        try write([(1 << 60, 1)], part: 0)
        #expect(throws: JobError.damaged(path: IndexPlan.path(ofPart: 0, job))) { _ = try all() }
    }

    @Test func `two clusters of one id do not add up`() throws {
        try write([(1 << 60, 0), ((1 << 60) + 1, 0)], part: 0)
        #expect(try all().suffix(2).map(\.id) == [1 << 60, (1 << 60) + 1])
        try write([(1 << 60, 0), (1 << 60, 0)], part: 0)
        #expect(throws: JobError.doesNotAddUp("two clusters have the id \(1 << 60)")) {
            _ = try all()
        }
        // In two files as well as in one.
        try write([((1 << 60) - 1, 0), (1 << 60, 0)], part: 0)
        try write([(1 << 60, 0)], part: 2)
        #expect(throws: JobError.doesNotAddUp("two clusters have the id \(1 << 60)")) {
            _ = try all()
        }
    }

    @Test func `columns of ids belong together`() throws {
        for short in 0...3 {
            var sink = BlockSink()
            sink.write(Column<Int64>(short == 1 ? [5] : [5, 6]))
            sink.write(Column<UInt32>(short == 2 ? [1] : [1, 0]))
            sink.write(Column<UInt32>(short == 3 ? [3] : [3, 4]))
            let path = job.files.index(.leaves(7))
            try job.files.makeFolder("index")
            var writer = try job.write(path)
            let start = writer.size
            try writer.append(sink.bytes)
            try writer.finish()
            let reader = try job.read(path).reader
            let read = Result { try SortedIDs(in: reader, at: start) }
            switch read {
            case .success(var ids):
                #expect(short == 0 && ids.bytes == sink.bytes && ids.least == 5)
                #expect(ids.take() == (5, 1, 3) && ids.take() == (6, 0, 4) && ids.least == nil)
            case .failure(let error):
                #expect(short > 0 && error as? JobError == .damaged(path: path))
            }
        }
    }
}
