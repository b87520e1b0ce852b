import Clustering

/// How much memory a build in cells will need.
struct CellForecast {
    /// What reading, writing and the stages between take, whatever the points.
    static let leastBytes = 192 << 20
    /// What a point of the cell in work takes at the peak; its margin, a third more points, included.
    private static let bytesOfPoint = 400

    let bytes: Int

    init(_ job: CellJob) {
        let nodes = job.plan.expectedNodes * Self.bytesOfNode(job.layerOptions)
        bytes = max(Self.bytes(points: job.plan.counts.max() ?? 0), Self.leastBytes + nodes)
    }

    /// How many nodes may be handed up where there is so much memory.
    static func mostNodes(_ layers: [ClusterOptions], memory: Int) -> Int {
        max(0, memory - leastBytes) / bytesOfNode(layers)
    }

    /// What a node takes that is handed up, before and while it is clustered: measured with ten million
    /// points, and with three million and six things that clusters carry.
    private static func bytesOfNode(_ layers: [ClusterOptions]) -> Int {
        let carried = layers.map {
            $0.aggregates.count + $0.clusterProperties.count + $0.inherit.count
        }
        // Where refused nodes come to have an order of their own, that is told of each.
        let reranks = layers.contains {
            $0.algorithm == .greedy && ($0.minPoints > 2 || $0.minUniqueLocations > 2)
        }
        return 200 + 80 * (carried.max() ?? 0) + (reranks ? 120 : 0)
    }

    /// What a cell of so many points takes.
    static func bytes(points: Int) -> Int { leastBytes + points * bytesOfPoint }

    /// How many cells may be worked on at once.
    /// - Parameter counts: how many points each has.
    static func together(_ counts: [Int], _ options: BuildOptions) -> Int {
        let fullest = counts.max() ?? 0
        let most = max(min(options.threads, counts.count), 1)
        return (1...most).last { cells in
            // Each has a thread that waits for those which work on it.
            let limit = MemoryLimit(allowed: options.memory, threads: options.threads + cells)
            return (try? limit.check(bytes(points: cells * fullest))) != nil
        } ?? 1
    }

    /// How many points a cell may have.
    static func points(within memory: Int) -> Int { max(0, memory - leastBytes) / bytesOfPoint }
}
