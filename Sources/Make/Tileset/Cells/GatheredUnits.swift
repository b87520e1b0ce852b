import Clustering
import Geometry
import Pipelines
import Points

/// What all cells handed up, hierarchy by hierarchy.
struct GatheredUnits {
    var units: [HandedUpUnit]
    private(set) var skipped: [SkippedSums]
    private(set) var clusterCounts: [Int]
    private(set) var heldCounts: [Int]
    /// Around what each cell's neighbours may draw.
    private(set) var boxes: [WorldBox] = []
    /// The ids of clusters in cells that do not follow from these alone.
    private(set) var ids = UnusualIDs()
    /// For each cell and hierarchy, how many nodes it handed up.
    private(set) var counts: [[Int]] = []
    /// For each hierarchy, and each node that was handed up, the zoom at which its parent formed.
    var parentZooms: [Column<Int8>] = []

    /// Reads the files of all cells.
    init(of job: CellJob, _ passes: Int) throws {
        units = job.units.map { _ in HandedUpUnit(keys: job.keys) }
        skipped = job.units.map { _ in SkippedSums() }
        clusterCounts = job.units.map { _ in 0 }
        heldCounts = clusterCounts
        try job.folder.fetch(
            job.division.cells.map { job.files.handedUp(by: $0.cellName, passes) })
        let (files, cells) = (
            CellFiles(job), PieceCounter(total: job.division.cells.count, size: 1)
        )
        try OrderedPipeline(threads: job.options.threads).run(
            next: {
                try job.checkCancelled()
                return cells.next()
            },
            state: {},
            work: { _, cell in try files.handedUp(by: cell.lowerBound, passes) },
            consume: { include($0) })
    }

    /// Adds what the next cell says.
    private mutating func include(
        _ cell: (box: WorldBox, ids: UnusualIDs, units: [CellFiles.HandedUp])
    ) {
        boxes.append(cell.box)
        ids.formUnion(cell.ids)
        counts.append(cell.units.map(\.nodes.points.count))
        for (index, unit) in cell.units.enumerated() {
            units[index].append(unit)
            skipped[index].add(unit.skipped)
            clusterCounts[index] += unit.clusterCount
            heldCounts[index] += unit.heldCount
        }
    }
}
