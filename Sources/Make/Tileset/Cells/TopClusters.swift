import Clustering
import Points
import Recipes

/// The file with the top's clusters and facts about all others: which tasks make blocks of the
/// leaves, and how many clusters each layer has.
struct TopClusters: Sendable {
    struct Layer: Sendable {
        /// The number of all clusters of the layer, including those in cells.
        var clusterCount = 0
        /// The number of clusters past the cluster zooms, kept because tiles are crowded.
        var heldCount = 0
        /// Nil if no point is drawn apart.
        var spread: SpreadExtent?
        var skipped: [SkippedValues] = []
    }

    let layers: [Layer]
    /// The tasks, in the order of their leaves.
    let tasks: [LeafTask]
    private let reader: JobFileReader
    private let keys: StoredKeys

    init(of job: CellJob) throws {
        (reader, keys) = try job.read(job.files.top)
        let (layerCount, squareCount) = (job.plan.layers.count, job.levels.numbers.count)
        (layers, tasks) = try reader.tail()
        guard layers.count == layerCount,
            tasks.allSatisfy({
                (0..<layerCount).contains($0.layer)
                    && $0.squares.allSatisfy((0..<squareCount).contains)
            })
        else { throw JobError.damaged(path: reader.path) }
    }

    /// The clusters of the top that begin with the leaves of a task, in their order.
    func nodes(of task: LeafTask) throws -> CellNodes {
        try reader.cellNodes(at: task.clusters.lowerBound, keys)
    }

    /// Writes the file.
    /// - Parameters:
    ///   - clusters: the clusters of each layer, in their order.
    ///   - layers: the facts about each layer.
    static func write(
        _ clusters: [CellNodes], _ layers: [Layer], _ tasks: [LeafTask], of job: CellJob
    ) throws {
        var tasks = tasks
        var writer = try job.write(job.files.top)
        for index in tasks.indices {
            let nodes = clusters[tasks[index].layer]
            let own = nodes.nodes.clusters(beginningWith: tasks[index].leaves)
            var sink = BlockSink()
            sink.write(nodes.selecting(clusters: own))
            tasks[index].clusters = try writer.append(sink.bytes)
        }
        var tail = BlockSink()
        tail.write(layers, tasks)
        try writer.finish(tail: tail)
    }
}

extension TopClusters.Layer: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init, \.clusterCount, \.heldCount, \.spread, \.skipped)
    }
}
