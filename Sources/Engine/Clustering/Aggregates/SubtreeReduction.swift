import ParallelColumns
import Points

/// A value of leaves that is merged up the tree.
protocol SubtreeReducer: Sendable {
    associatedtype State: Sendable

    func state(ofLeaf leaf: Int) -> State?

    func merge(_ state: inout State, _ next: State)

    func write(_ state: State, to records: inout RecordBuilder)
}

/// An aggregate with the values that it reads.
struct BoundAggregate<Reducer: AggregateReducer>: SubtreeReducer {
    let reducer: Reducer
    let values: LeafValues
    let names: ResultNames

    @inline(__always)
    func state(ofLeaf leaf: Int) -> Reducer.State? { reducer.state(of: leaf, in: values) }

    @inline(__always)
    func merge(_ state: inout Reducer.State, _ next: Reducer.State) { reducer.merge(&state, next) }

    @inline(__always)
    func write(_ state: Reducer.State, to records: inout RecordBuilder) {
        reducer.write(state, as: names, values, to: &records)
    }
}

/// What a reducer wrote for the clusters of a range, in chunks, the last cluster first.
struct PackedRun: Sendable {
    /// The most clusters in a chunk. Large chunks are mappings, so each returns its memory when it is taken.
    static let chunkSize = 1 << 14

    let clusters: Range<Int>
    private var chunks: [Chunk] = []

    private struct Chunk {
        var records = RecordBuilder()
        /// The end of each cluster's bytes.
        var ends: [UInt32] = []
    }

    init(clusters: Range<Int>) { self.clusters = clusters }

    /// The clusters of each chunk, in the order of clusters.
    var chunkRanges: [Range<Int>] {
        stride(from: clusters.upperBound, to: clusters.lowerBound, by: -Self.chunkSize).map {
            max(clusters.lowerBound, $0 - Self.chunkSize)..<$0
        }.reversed()
    }

    private func chunk(of cluster: Int) -> Int {
        (clusters.upperBound - 1 - cluster) / Self.chunkSize
    }

    /// Adds the next cluster, whose record `write` packs.
    @inline(__always)
    mutating func add(_ cluster: Int, _ write: (inout RecordBuilder) -> Void) {
        let chunk = chunk(of: cluster)
        if chunk == chunks.count { chunks.append(Chunk()) }
        write(&chunks[chunk].records)
        chunks[chunk].ends.append(UInt32(chunks[chunk].records.byteCount))
    }

    func append(_ cluster: Int, to records: inout RecordBuilder) {
        let chunk = chunks[chunk(of: cluster)]
        let index = (clusters.upperBound - 1 - cluster) % Self.chunkSize
        let start = index == 0 ? 0 : Int(chunk.ends[index - 1])
        records.append(packed: chunk.records.span.extracting(start..<Int(chunk.ends[index])))
    }

    /// Releases the chunk that holds a cluster.
    mutating func release(chunkOf cluster: Int) { chunks[chunk(of: cluster)] = Chunk() }
}

/// Computes a value for every cluster, children before parents, in one pass.
struct SubtreeReduction: Sendable {
    private let firsts: SharedColumn<Int>
    private let leaves: SharedColumn<Int>
    private let workers: Workers
    /// Ranges of clusters that hold whole subtrees.
    let pieces: [Range<Int>]

    init(_ columns: TreeColumns, workers: Workers) {
        firsts = SharedColumn(viewing: columns.nodes.firsts)
        leaves = SharedColumn(viewing: columns.nodes.leaves)
        self.workers = workers
        pieces = Self.cut(columns.parents, workers)
    }

    /// Cuts the clusters between roots; they are in the order of a walk down the tree.
    private static func cut(_ parents: Column<UInt32>, _ workers: Workers) -> [Range<Int>] {
        let size = max(4_096, parents.count / (8 * workers.count))
        var pieces: [Range<Int>] = []
        var start = 0
        for cluster in 0..<parents.count
        where parents[cluster] == ClusterTree.noParent && cluster - start >= size {
            pieces.append(start..<cluster)
            start = cluster
        }
        if start < parents.count { pieces.append(start..<parents.count) }
        return pieces
    }

    /// What the reducer writes, and the states of the clusters without a parent, in their order.
    func run<Reducer: SubtreeReducer>(
        _ reducer: Reducer
    ) -> (runs: [PackedRun], roots: [Reducer.State?]) {
        let parts = workers.map(pieces) { reduce(reducer, $0) }
        return (parts.map(\.run), parts.flatMap(\.roots))
    }

    private func reduce<Reducer: SubtreeReducer>(
        _ reducer: Reducer, _ range: Range<Int>
    ) -> (run: PackedRun, roots: [Reducer.State?]) {
        var run = PackedRun(clusters: range)
        var states: [Reducer.State?] = Array(repeating: nil, count: range.count)
        // For each cluster, the first cluster after its subtree.
        var ends = Array(repeating: 0, count: range.count)
        for cluster in range.reversed() {
            var leaf = firsts[cluster]
            let end = leaf + leaves[cluster]
            var next = cluster + 1
            var state: Reducer.State?
            while leaf < end {
                let child: Reducer.State?
                if next < range.upperBound, firsts[next] == leaf {
                    let index = next - range.lowerBound
                    child = states[index].take()
                    leaf += leaves[next]
                    next = ends[index]
                } else {
                    child = reducer.state(ofLeaf: leaf)
                    leaf += 1
                }
                guard let child else { continue }
                if state == nil { state = child } else { reducer.merge(&state!, child) }
            }
            ends[cluster - range.lowerBound] = next
            run.add(cluster) { records in
                if let state { reducer.write(state, to: &records) }
            }
            states[cluster - range.lowerBound] = state
        }
        // The states of all other clusters were merged into their parents'.
        var roots: [Reducer.State?] = []
        var root = range.lowerBound
        while root < range.upperBound {
            roots.append(states[root - range.lowerBound])
            root = ends[root - range.lowerBound]
        }
        return (run, roots)
    }
}
