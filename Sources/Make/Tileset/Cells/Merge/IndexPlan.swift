import ArchiveContract
import Clustering
import Geometry
import Points
import TileArchive

/// The data that tasks of the index share, put together from the files of all squares: their tiles and clusters.
struct IndexPlan: Sendable {
    /// The tiles of one zoom in one part, which are consecutive in PMTiles archives.
    struct Section: Equatable, Sendable {
        /// 0 for the top; 1 and more for squares.
        let part: Int
        let zoom: PartZoom
    }

    var drawn = DrawnBoxes()
    var figures = TileFigures()
    /// The number of tiles of each zoom that were left out.
    var leftOut: [UInt8: Int] = [:]
    /// All tiles, in the order of PMTiles archives.
    var sections: [Section] = []
    /// For each part, the ids of each layer's clusters.
    var ids: [[[IDRun]]] = []

    var tileCount: Int { sections.reduce(0) { $0 + $1.zoom.tiles } }
    var tileBytes: Int { sections.reduce(0) { $0 + $1.zoom.stream.count } }

    /// The path of the tiles of a part.
    /// - Parameter files: those of this job, or of the job before.
    static func path(ofPart part: Int, _ job: CellJob, in files: JobFiles? = nil) -> String {
        let files = files ?? job.files
        return part == 0
            ? files.topTiles : files.tiles(of: job.name(of: part - 1))
    }
}

extension IndexPlan {
    /// Puts the plan together from the files of tiles.
    init(collectedFrom job: CellJob) throws {
        self.init()
        let paths = (0...job.levels.numbers.count).map { Self.path(ofPart: $0, job) }
        try job.folder.fetchTails(of: paths)
        for (part, path) in paths.enumerated() {
            try job.checkCancelled()
            try include(PartTiles(path, job), part: part)
        }
        sections.sort { ($0.zoom.zoom, $0.part) < ($1.zoom.zoom, $1.part) }
    }

    private mutating func include(_ tiles: PartTiles, part: Int) {
        drawn.include(tiles.drawn)
        figures.merge(tiles.figures)
        leftOut.merge(tiles.leftOut) { $0 + $1 }
        sections += tiles.zooms.map { Section(part: part, zoom: $0) }
        ids.append(tiles.ids)
    }

    /// The plan of a job, which is made if it does not exist.
    init(of job: CellJob) throws {
        if !job.files.has(job.files.indexPlan) {
            try job.files.makeFolder("index")
            let plan = try IndexPlan(collectedFrom: job)
            try job.write(job.files.indexPlan) { $0.write(plan) }
            self = plan
            return
        }
        try job.folder.fetch([job.files.indexPlan])
        self = try job.values(of: job.files.indexPlan)
        let parts = 0...job.levels.numbers.count
        guard sections.allSatisfy({ parts.contains($0.part) }), ids.count == parts.count,
            ids.allSatisfy(job.mayHave)
        else { throw JobError.damaged(path: job.files.indexPlan) }
    }
}

extension IndexPlan: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init, \.drawn, \.figures, \.leftOut, \.sections, \.ids)
    }
}

extension IndexPlan.Section: BlockRecord {
    static var layout: BlockLayout<Self> { .init(Self.init, \.part, \.zoom) }
}
