import Basics
import Clustering
import Points

/// The clusters above the cut that begin with the leaves of a task: those of the top, and of the squares above the cells.
struct ClustersAbove {
    /// The clusters of one hierarchy in one square.
    private struct Part {
        let square: LeafSquares.Above
        let unit: Int
        let clusters: LeafSquares.Clusters
    }

    private let squares: LeafSquares
    private let top: CellNodes
    /// For each square, a sum over the unusual ids that its clusters may have.
    private var idSums: [UInt64?] = []
    private var parts: [Part] = []

    private var job: CellJob { squares.job }

    /// - Parameter number: the number of the task.
    init(of number: Int, _ top: TopClusters, _ squares: LeafSquares) throws {
        self.squares = squares
        let task = top.tasks[number]
        self.top = try top.nodes(of: task)
        for square in task.squares where !squares.job.levels.isCell(square) {
            let square = try squares.above(square)
            idSums.append(square.ids)
            for unit in square.clusters.indices {
                guard let clusters = square.clusters[unit][number] else { continue }
                parts.append(Part(square: square, unit: unit, clusters: clusters))
            }
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
        for sum in idSums + parts.map(\.clusters.sum) {
            if let sum { inputs.include(sum) } else { inputs.isKnown = false }
        }
    }

    /// All of these clusters, in their order.
    func clusters() throws -> CellNodes {
        if parts.isEmpty { return top }
        var sources = [top]
        var all = (0..<top.nodes.firsts.count).map { (key: top.nodes.key(of: $0), 0, $0) }
        for part in parts {
            let file = part.square.file
            var nodes = try file.clusters(of: part.unit)
            nodes.name(by: try squares.ids(), unit: part.unit, of: job)
            for (cluster, first) in part.clusters.all {
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
