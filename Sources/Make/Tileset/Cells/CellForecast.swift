import Clustering

/// How much memory a build in cells will need.
struct CellForecast {
    /// The memory for reading, writing and the stages between, whatever the number of points.
    static let leastBytes = 160 << 20
    /// The memory for a point of the cell being clustered, at the peak; its margin, a third more points, is included.
    private static let bytesOfPlainPoint = 400

    let bytes: Int

    /// With less memory, cells do not fit: this is for one with few points.
    /// - Parameter carriedOfPoint: the bytes of what clusters will carry, for each point.
    static func least(carriedOfPoint: Int = 0) -> Int {
        leastBytes + CellChoice.leastNodes * (bytesOfPlainPoint + 2 * carriedOfPoint)
    }

    /// Cells fit into this memory, wherever points lie, unless very many are at one place or the radius is small: the
    /// top has the nodes of a zoom at which all of the world has some.
    static func enough(carriedOfPoint: Int = 0) -> Int {
        least(carriedOfPoint: carriedOfPoint) + (64 << 20)
    }

    init(_ job: CellJob) {
        let layers = job.layerOptions
        let nodes = job.plan.expectedNodes * Self.bytesOfNode(layers)
        bytes = max(
            Self.bytes(points: job.plan.counts.max() ?? 0, layers), Self.leastBytes + nodes)
    }

    /// The memory for a point with its share of what clusters carry, which is there as records and as a file.
    private static func bytesOfPoint(_ layers: [ClusterOptions]) -> Int {
        bytesOfPlainPoint + 2 * (layers.map { CarriedBytes(of: $0).ofPoint }.max() ?? 0)
    }

    /// How many nodes may be handed up within a memory.
    static func mostNodes(_ layers: [ClusterOptions], memory: Int) -> Int {
        max(0, memory - leastBytes) / bytesOfNode(layers)
    }

    /// The memory for a node that is handed up, before and while it is clustered: measured with ten
    /// million points, and with three million and six values that clusters carry.
    private static func bytesOfNode(_ layers: [ClusterOptions]) -> Int {
        let carried = layers.map { 80 * $0.carriedValues + CarriedBytes.bytes(of: $0.facets) }
        // Where refused nodes get an order of their own, each node carries its history.
        let reranks = layers.contains {
            $0.algorithm == .greedy && ($0.minPoints > 2 || $0.minUniqueLocations > 2)
        }
        return 200 + (carried.max() ?? 0) + (reranks ? 120 : 0)
    }

    /// How many points of a cell take as much memory as so many nodes that are handed up.
    static func points(like nodes: Int, _ layers: [ClusterOptions]) -> Int {
        let bytesOfPoint = bytesOfPoint(layers)
        return nodes * max(bytesOfNode(layers), bytesOfPoint) / bytesOfPoint
    }

    /// The memory for a cell of so many points.
    static func bytes(points: Int, _ layers: [ClusterOptions] = []) -> Int {
        leastBytes + points * bytesOfPoint(layers)
    }

    /// How many cells may be clustered at once.
    /// - Parameter counts: the number of points in each cell.
    static func together(
        _ counts: [Int], _ options: BuildOptions, _ layers: [ClusterOptions] = []
    ) -> Int {
        let fullest = counts.max() ?? 0
        let most = max(min(options.threads, counts.count), 1)
        return (1...most).last { cells in
            // Each cell has a thread that waits for its workers.
            let limit = MemoryLimit(allowed: options.memory, threads: options.threads + cells)
            return (try? limit.check(bytes(points: cells * fullest, layers))) != nil
        } ?? 1
    }

    /// The most points that a cell may have.
    static func points(within memory: Int, _ layers: [ClusterOptions] = []) -> Int {
        max(0, memory - leastBytes) / bytesOfPoint(layers)
    }
}
