import Clustering
import Geometry
import Points

/// What some squares handed up, hierarchy by hierarchy.
struct GatheredUnits {
    var units: [FrontierUnit]
    private(set) var skipped: [SkippedSums]
    private(set) var clusterCounts: [Int]
    private(set) var heldCounts: [Int]
    /// The ids of clusters in these squares that do not follow from the clusters alone.
    private(set) var ids = UnusualIDs()
    /// The origin of the nodes, one square after another.
    private(set) var sources: [Source] = []
    private let job: CellJob

    struct Source {
        let square: Int
        /// For each hierarchy, the rows of the nodes in the square's frontier.
        let rows: [[UInt32]]
    }

    /// Reads the files of squares.
    /// - Parameters:
    ///   - own: the squares whose nodes are all taken; of the others, only nodes on the ground are.
    ///   - ground: the ground for each layer.
    init(of job: CellJob, _ squares: [Int], own: Set<Int>, on ground: [KnownGround] = []) throws {
        self.job = job
        units = job.units.map { _ in FrontierUnit(keys: job.keys) }
        skipped = job.units.map { _ in SkippedSums() }
        clusterCounts = job.units.map { _ in 0 }
        heldCounts = clusterCounts
        try job.folder.fetch(
            squares.map { job.files.frontier(of: job.name(of: $0), job.passLimit(of: $0)) })
        let files = CellFiles(job)
        try job.forEach(squares) { square in
            let (ids, units) = try files.frontier(of: square, job.passLimit(of: square))
            if own.contains(square) { return Part(square: square, ids: ids, units: units) }
            let rows = zip(units, job.units).map { $0.nodes.rows(on: ground[$1.layer]) }
            return Part(
                square: square, ids: UnusualIDs(),
                units: zip(units, rows).map { $0.selecting($1) }, rows: rows)
        } consume: {
            include($0)
        }
    }

    private struct Part: Sendable {
        let square: Int
        let ids: UnusualIDs
        let units: [CellFiles.WrittenFrontier]
        /// Nil means all nodes.
        var rows: [[UInt32]]?
    }

    private mutating func include(_ part: Part) {
        ids.formUnion(part.ids)
        sources.append(
            Source(
                square: part.square,
                rows: part.rows
                    ?? part.units.map { Array(0..<UInt32($0.nodes.points.count)) }))
        for (index, unit) in part.units.enumerated() {
            units[index].append(unit)
            skipped[index].add(unit.skipped)
            clusterCounts[index] += unit.clusterCount
            heldCounts[index] += unit.heldCount
        }
    }
}

extension Frontier {
    /// The nodes that stand on some ground.
    fileprivate func rows(on ground: KnownGround) -> [UInt32] {
        var next = 0
        return (0..<UInt32(points.count)).filter { row in
            guard next < clusters.count, clusters[next].row == row else {
                let place = points.position(of: Int(row))
                return ground.contains(place.x, place.y)
            }
            defer { next += 1 }
            return ground.contains(clusters[next].x, clusters[next].y)
        }
    }
}
