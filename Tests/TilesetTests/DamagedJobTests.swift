import Clustering
import Foundation
import Geometry
import Points
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// Files of a job that another program might have written: whole, and with numbers that do not fit the job.
struct DamagedJobTests {
    private let builds: CellBuildTests.Builds
    private let cells: CellBuild
    private var job: CellJob { cells.job }

    /// A job of one layer in four cells, with its tiles.
    init() throws {
        builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(60, seed: 7), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 3])
        cells = try builds.tiled(zoom: 1)
    }

    /// Writes a file anew and says whether it is read.
    private func reads(
        _ path: String, _ block: BlockSink, isTail: Bool = false, _ read: () throws -> Void
    ) throws -> Bool {
        try job.reads(path) { writer in
            if isTail { return block }
            try writer.append(block.bytes)
            return nil
        } _: {
            try read()
        }
    }

    @Test func `what the top says of a cell is of cells that there are, node by node`() throws {
        let path = job.files.numbers(of: job.division.cells[1].cellName)
        #expect(job.division.cells.count == 4)
        for (neighbours, firsts, zooms, isRead) in [
            ([0, 3], 2, 2, true), ([], 0, 0, true), ([4], 2, 2, false), ([0, 9], 2, 2, false),
            ([0], 2, 1, false), ([0], 1, 2, false),
        ] as [([UInt32], Int, Int, Bool)] {
            var sink = BlockSink()
            sink.write(Column(neighbours))
            sink.write(VariableDepth.Covering())
            sink.write(counts: Column(repeating: 5, count: firsts))
            sink.write(Column(repeating: Int8(1), count: zooms))
            let wasRead = try reads(path, sink) {
                let numbers = try CellNumbers(of: 1, job)
                #expect(numbers.neighbours == neighbours.map { Int($0) })
                #expect(numbers.firstLeaves[0].count == firsts)
            }
            #expect(wasRead == isRead, "\(neighbours) \(firsts) \(zooms)")
        }
    }

    @Test func `clusters above the cut are of the job's layers, and their leaves of its cells`()
        throws
    {
        func sink(layers: Int, layer: Int, cells: [Int]) -> BlockSink {
            var sink = BlockSink()
            sink.write(Array(0..<layers)) { sink, _ in
                for number in [5, 1] { sink.write(number) }
                sink.write(SpreadExtent?.some(.init(firstZoom: 2, metres: 3.5)))
                sink.write(["a"]) { sink, name in
                    sink.write(name, 4, 2)
                }
            }
            var task = LeafTask(
                layer: layer, leaves: 3..<9, open: [.init(zoom: 1, end: 7), .init(zoom: 2, end: 5)])
            (task.squares, task.clusters) = (cells, 20..<30)
            sink.write([task]) { $0.write($1) }
            return sink
        }
        for (layers, layer, own, isRead) in [
            (1, 0, [0, 3], true), (0, 0, [0], false), (2, 0, [0], false), (1, 1, [0], false),
            (1, -1, [0], false), (1, 0, [4], false),
        ] {
            let wasRead = try reads(
                job.files.top, sink(layers: layers, layer: layer, cells: own), isTail: true
            ) {
                let top = try TopClusters(of: job)
                let task = try #require(top.tasks.first)
                #expect(task.leaves == 3..<9 && task.squares == own && task.clusters == 20..<30)
                #expect(task.open == [.init(zoom: 1, end: 7), .init(zoom: 2, end: 5)])
                let known = top.layers[0]
                #expect(known.clusterCount == 5 && known.heldCount == 1)
                #expect(known.spread == SpreadExtent(firstZoom: 2, metres: 3.5))
                #expect(known.skipped == [.init(aggregate: "a", missing: 4, unusable: 2)])
            }
            #expect(wasRead == isRead, "\(layers) \(layer) \(own)")
        }
    }

    @Test func `the plan of an index has each part once, with the ids of all layers`() throws {
        let plan = try IndexPlan(of: job)
        #expect(plan.ids.count == 5 && plan.ids.allSatisfy { $0.count == 1 })
        let zoom = try #require(plan.sections.first).zoom
        for (part, parts, layers, isRead) in [
            (0, 5, 1, true), (4, 5, 1, true), (5, 5, 1, false), (0, 4, 1, false), (0, 6, 1, false),
            (0, 5, 0, false), (0, 5, 2, false),
        ] {
            var sink = BlockSink()
            sink.write(DrawnBoxes())
            sink.write(plan.figures)
            sink.write([3: 7, 5: 1].sorted { $0.key < $1.key }) { sink, zoom in
                sink.write(byte: UInt8(zoom.key))
                sink.write(zoom.value)
            }
            sink.write([part]) { sink, part in
                sink.write(part, zoom)
            }
            sink.write(Array(0..<parts)) { sink, part in
                sink.write(Array(0..<layers)) { sink, _ in
                    sink.write([IDRun(cell: part % 4, bytes: part..<part + 9, sum: 77)])
                }
            }
            let wasRead = try reads(job.files.indexPlan, sink) {
                let read = try IndexPlan(of: job)
                #expect(read.leftOut == [3: 7, 5: 1] && read.figures.zooms == plan.figures.zooms)
                #expect(read.sections == [.init(part: part, zoom: zoom)])
                #expect(read.ids[2] == [[.init(cell: 2, bytes: 2..<11, sum: 77)]])
                #expect(read.tileCount == zoom.tiles && read.tileBytes == zoom.stream.count)
            }
            #expect(wasRead == isRead, "\(part) \(parts) \(layers)")
        }
    }

    @Test func `bytes of an archive come from where a job has them`() throws {
        try cells.index()
        let index = try IndexPhase(job)
        for (kind, name, isRead) in [
            (0, nil, true), (1, nil, true), (2, "leaves-3", true), (2, "tiles-0", true),
            (2, "leaves", false), (2, "other-1", false), (3, nil, false), (255, nil, false),
        ] as [(UInt8, String?, Bool)] {
            var sink = BlockSink()
            sink.write([[0], []]) { sink, pieces in
                sink.write(pieces) { sink, _ in
                    sink.write(byte: kind)
                    if kind == 1 { sink.write(4) }
                    if let name { sink.write(name) }
                    sink.write(JobStream(start: 30, count: 12))
                    sink.write(100)
                }
            }
            for _ in 0..<2 { sink.write([Int]()) { _, _ in } }
            let wasRead = try reads(job.files.laidOut, sink, isTail: true) {
                let laid = try LayPhase(job: job, index: index).run { _ in }
                #expect(laid.sizes == [112, 0] && laid.files[0][0].bytes == 100..<112)
                #expect(laid.bounds == nil && laid.center == nil)
                let unit = name.flatMap { IndexUnit(name: $0) }
                let source: LaidOut.Source =
                    unit.map { .index($0) } ?? (kind == 1 ? .part(4) : .own)
                #expect(laid.files[0][0].source == source)
            }
            #expect(wasRead == isRead, "\(kind) \(name ?? "")")
        }
    }

    @Test func `the index of a part's tiles tells of as many, and of all their bytes`() throws {
        let tiles = try PartTiles(job.files.topTiles, job)
        let zoom = try #require(tiles.zooms.last)
        let other = { (tiles: Int, bytes: Int) in
            PartZoom(
                zoom: zoom.zoom, tiles: zoom.tiles + tiles,
                stream: JobStream(start: zoom.stream.start, count: zoom.stream.count + bytes),
                index: zoom.index)
        }
        #expect(try zoom.read(tiles.reader).count == zoom.tiles)
        #expect(try TileCursor(0, zoom, tiles.reader).key != nil)
        for change in [-1, 1] {
            #expect(throws: JobError.damaged(path: tiles.reader.path)) {
                _ = try other(change, 0).read(tiles.reader)
            }
            #expect(throws: JobError.damaged(path: tiles.reader.path)) {
                _ = try TileCursor(0, other(0, change), tiles.reader)
            }
        }
        for layers in 0...2 {
            var writer = try TilePartWriter(job.files.topTiles, job)
            let ids = Array(repeating: SortedIDs(), count: layers)
            try writer.finish(DrawnBoxes(), leftOut: [4: 5], ids, inputs: 9)
            let read = Result { try PartTiles(job.files.topTiles, job) }
            switch read {
            case .success(let part):
                #expect(layers == 1 && part.inputs == 9 && part.leftOut == [4: 5])
                #expect(part.ids[0].isEmpty && part.tiles(at: 0) == nil)
            case .failure(let error):
                #expect(layers != 1 && error as? JobError == .damaged(path: job.files.topTiles))
            }
        }
    }
}
