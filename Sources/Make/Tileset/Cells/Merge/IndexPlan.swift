import ArchiveContract
import Clustering
import Geometry
import Points
import TileArchive

/// What the tasks of the index share: what all cells say of their tiles and leaves, put together.
struct IndexPlan: Sendable {
    /// The tiles of one zoom in one part: they lie together in PMTiles archives.
    struct Section: Equatable, Sendable {
        /// 0 for what lies above the cut, and from 1 on a cell.
        let part: Int
        let zoom: PartZoom
    }

    var drawn = DrawnBoxes()
    var figures = TileFigures()
    /// How many tiles of each zoom were left out.
    var leftOut: [UInt8: Int] = [:]
    /// All tiles, in the order of PMTiles archives.
    var sections: [Section] = []
    /// Of each cell where the ids of a layer lie, and the least of them; 0 where there is none.
    var ids: [[(bytes: Range<Int>, least: Int64)]] = []
    /// For each task of leaves where each of its cells has them.
    var leaves: [[Range<Int>]] = []

    var tileCount: Int { sections.reduce(0) { $0 + $1.zoom.tiles } }
    var tileBytes: Int { sections.reduce(0) { $0 + $1.zoom.stream.count } }

    /// Where the tiles of a part lie.
    static func path(ofPart part: Int, _ job: CellJob) -> String {
        part == 0
            ? job.files.topTiles
            : job.files.tiles(of: job.division.cells[part - 1].cellName)
    }

    /// Puts it together from what all cells say.
    init(collectedFrom job: CellJob, _ tasks: [LeafTask]) throws {
        leaves = tasks.map { $0.cells.map { _ in 0..<0 } }
        try job.folder.fetchTails(
            of: [job.files.topTiles]
                + job.division.cells.flatMap { cell in
                    [
                        job.files.tiles(of: cell.cellName), job.files.leaves(of: cell.cellName),
                    ]
                })
        try include(PartTiles(job.files.topTiles, job), part: 0)
        for (cell, square) in job.division.cells.enumerated() {
            try job.checkCancelled()
            try include(PartTiles(job.files.tiles(of: square.cellName), job), part: cell + 1)
            let contents = try LeafFile(job).contents(of: square)
            let path = job.files.leaves(of: square.cellName)
            ids.append(contents.ids)
            for (task, bytes) in contents.tasks {
                guard tasks.indices.contains(task),
                    let index = tasks[task].cells.firstIndex(of: cell)
                else { throw JobError.damaged(path: path) }
                leaves[task][index] = bytes
            }
        }
        sections.sort { ($0.zoom.zoom, $0.part) < ($1.zoom.zoom, $1.part) }
    }

    private mutating func include(_ tiles: PartTiles, part: Int) {
        drawn.include(tiles.drawn)
        figures.merge(tiles.figures)
        leftOut.merge(tiles.leftOut) { $0 + $1 }
        sections += tiles.zooms.map { Section(part: part, zoom: $0) }
    }
}

extension IndexPlan {
    /// The plan of a job, which is made if it is not there.
    init(of job: CellJob, _ tasks: [LeafTask]) throws {
        if !job.files.has(job.files.indexPlan) {
            try job.files.makeFolder("index")
            let plan = try IndexPlan(collectedFrom: job, tasks)
            var writer = try job.write(job.files.indexPlan)
            var sink = BlockSink()
            sink.write(plan)
            try writer.append(sink.bytes)
            try writer.finish()
            self = plan
            return
        }
        try job.folder.fetch([job.files.indexPlan])
        var (reader, _) = try job.read(job.files.indexPlan)
        var source = try reader.block()
        self = try reader.decode { () throws(BlockSource.Damaged) in try source.indexPlan() }
        let parts = 0...job.division.cells.count
        guard sections.allSatisfy({ parts.contains($0.part) }), leaves.count == tasks.count,
            zip(leaves, tasks).allSatisfy({ $0.count == $1.cells.count }),
            ids.count == job.division.cells.count
        else { throw JobError.damaged(path: reader.path) }
    }
}

extension BlockSink {
    fileprivate mutating func write(_ plan: IndexPlan) {
        write(plan.drawn)
        write(plan.figures)
        write(plan.leftOut.sorted { $0.key < $1.key }) { sink, zoom in
            sink.write(byte: zoom.key)
            sink.write(zoom.value)
        }
        write(plan.sections) { sink, section in
            sink.write(varint: section.part)
            sink.write(section.zoom)
        }
        write(plan.ids) { sink, layers in
            sink.write(layers) { sink, ids in
                sink.write(ids.bytes)
                sink.write(Int(ids.least))
            }
        }
        write(plan.leaves) { sink, cells in
            sink.write(cells) { $0.write($1) }
        }
    }
}

extension BlockSource {
    fileprivate mutating func indexPlan() throws(Damaged) -> IndexPlan {
        var plan = IndexPlan()
        plan.drawn = try drawnBoxes()
        plan.figures = try tileFigures()
        let leftOut = try array { (source) throws(Damaged) in
            (zoom: try source.byte(), count: try source.int())
        }
        for (zoom, count) in leftOut { plan.leftOut[zoom] = count }
        plan.sections = try array { (source) throws(Damaged) in
            IndexPlan.Section(part: try source.varint(), zoom: try source.partZoom())
        }
        plan.ids = try array { (source) throws(Damaged) in
            try source.array { (source) throws(Damaged) in
                (bytes: try source.range(), least: Int64(try source.int()))
            }
        }
        plan.leaves = try array { (source) throws(Damaged) in
            try source.array { (source) throws(Damaged) in try source.range() }
        }
        return plan
    }
}

extension IndexPlan {
    fileprivate init() {}
}
