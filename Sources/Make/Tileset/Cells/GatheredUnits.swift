import Clustering
import Geometry
import Points

/// What some squares handed up, hierarchy by hierarchy.
struct GatheredUnits {
    var units: [FrontierUnit]
    /// The ids of clusters in these squares that do not follow from the clusters alone.
    private(set) var ids = UnusualIDs()
    /// The origin of the nodes, one square after another.
    private(set) var sources: [Source] = []

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
        units = job.units.map { _ in FrontierUnit(keys: job.keys) }
        try job.folder.fetch(
            squares.map { job.files.frontier(of: job.name(of: $0), job.passLimit(of: $0)) })
        let files = CellFiles(job)
        try job.forEach(squares) { square in
            var (ids, units) = try files.frontier(of: square, job.passLimit(of: square))
            var rows = units.map { Array(0..<UInt32($0.nodes.points.count)) }
            if !own.contains(square) {
                rows = zip(units, job.units).map { $0.nodes.rows(on: ground[$1.layer]) }
                (ids, units) = (UnusualIDs(), zip(units, rows).map { $0.selecting($1) })
            }
            return (ids, units, Source(square: square, rows: rows))
        } consume: { (more: UnusualIDs, handedUp: [FrontierUnit], source: Source) in
            ids.formUnion(more)
            for (index, unit) in handedUp.enumerated() { units[index].append(unit) }
            sources.append(source)
        }
    }
}

extension Frontier {
    /// The nodes that stand on some ground.
    func rows(on ground: KnownGround) -> [UInt32] {
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
