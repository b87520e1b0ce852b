import Basics
import Clustering
import Points

/// The clusters above the cut that begin with the leaves of a task: those of the top, and of the squares above the cells.
struct ClustersAbove {
    /// The clusters of one hierarchy in one square.
    private struct Part {
        let square: LeafSquares.Above
        let unit: Int
        /// Their indexes, and the number of the first leaf of each.
        var clusters: [(index: Int, first: Int)] = []
    }

    private let squares: LeafSquares
    private let top: CellNodes
    /// For each square, a sum over the unusual ids that its clusters may have.
    private var idSums: [UInt64?] = []
    private var parts: [Part] = []
    /// A sum over the clusters of squares; nil if it is not known.
    private var sum: UInt64? = 0

    private var job: CellJob { squares.job }

    init(of task: LeafTask, _ top: TopClusters, _ squares: LeafSquares) throws {
        self.squares = squares
        self.top = try top.nodes(of: task)
        let own = task.squares.filter { !squares.job.levels.isCell($0) }
        try UpperFile.fetchSums(of: own, squares.job)
        for number in own { try include(squares.above(number), task) }
    }

    private mutating func include(_ square: LeafSquares.Above, _ task: LeafTask) throws {
        idSums.append(square.ids)
        let (file, numbers) = (square.file, square.numbers)
        for (unit, hierarchy) in job.units.enumerated() where hierarchy.layer == task.layer {
            let (known, roots) = (file.units[unit], numbers.firstLeaves[unit])
            guard roots.count == known.firstLeaves.count else {
                throw JobError.damaged(path: file.path)
            }
            let (firsts, sums) = square.clusters[unit]
            if sums.count < firsts.count { sum = nil }
            var part = Part(square: square, unit: unit)
            var root = 0
            for cluster in 0..<firsts.count {
                while root + 1 < roots.count, known.firstLeaves[root + 1] <= firsts[cluster] {
                    root += 1
                }
                let first = roots[root] + firsts[cluster] - known.firstLeaves[root]
                guard task.leaves.contains(first) else { continue }
                part.clusters.append((cluster, first))
                guard let before = sum else { continue }
                let offset = UInt64(first - task.leaves.lowerBound)
                sum = PointsSum.mixed(PointsSum.mixed(before, offset), sums[cluster])
            }
            if !part.clusters.isEmpty { parts.append(part) }
        }
    }

    /// Includes what the blocks of these clusters depend on.
    /// - Parameter start: the number of the first leaf of the task.
    func include(in inputs: inout InputSum, from start: Int) {
        var counted = CellNodes(keys: job.keys)
        for cluster in 0..<top.nodes.firsts.count {
            let first = top.nodes.firsts[cluster] - start
            counted.append(cluster: cluster, of: top, first: first)
        }
        var sink = BlockSink()
        sink.write(counted)
        inputs.include(sink)
        for sum in idSums {
            if let sum { inputs.include(sum) } else { inputs.isKnown = false }
        }
        if let sum { inputs.include(sum) } else { inputs.isKnown = false }
    }

    /// All of these clusters, in their order.
    func clusters() throws -> CellNodes {
        if parts.isEmpty { return top }
        try job.folder.fetch(
            parts.map {
                let file = $0.square.file
                return .init(path: file.path, bytes: file.units[$0.unit].clusters)
            })
        var sources = [top]
        var all = (0..<top.nodes.firsts.count).map { (key: top.nodes.key(of: $0), 0, $0) }
        for part in parts {
            let file = part.square.file
            var nodes = try file.clusters(of: part.unit)
            nodes.name(by: try squares.ids(), unit: part.unit, of: job)
            for (cluster, first) in part.clusters {
                guard cluster < nodes.nodes.firsts.count else {
                    throw JobError.damaged(path: file.path)
                }
                nodes.nodes.firsts[cluster] = first
                all.append((nodes.nodes.key(of: cluster), sources.count, cluster))
            }
            sources.append(nodes)
        }
        var clusters = CellNodes(keys: job.keys)
        for (_, source, cluster) in all.sorted(by: { $0.key < $1.key }) {
            clusters.append(cluster: cluster, of: sources[source])
        }
        return clusters
    }
}
