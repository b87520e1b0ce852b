import ArchiveContract
import Basics
import Clustering
import Geometry
import Points
import Synchronization

/// The leaves of a task and the clusters that begin with them, in their order, from the trees of cells.
final class TaskLeaves: LeafSource {
    /// Whole blocks, in the parts in which they were read.
    struct Piece: Sendable {
        var parts: [Part] = []
        /// The number of leaves in each block.
        var blocks: [Int] = []
    }

    /// Some of the leaves that were read together, with the clusters that begin with them.
    struct Part: Sendable {
        var nodes: CellNodes
        /// The number within the layer of the first leaf that was read with them.
        let first: Int
        var leaves: Range<Int>
        var clusters: Range<Int>

        init(_ nodes: CellNodes, first: Int) {
            self.nodes = nodes
            self.first = first
            leaves = 0..<nodes.points.count
            clusters = 0..<nodes.nodes.firsts.count
        }

        /// Removes the leaves before a number of the layer, and returns them.
        mutating func split(before end: Int) -> Part {
            var taken = self
            taken.leaves = leaves.lowerBound..<min(end - first, leaves.upperBound)
            let firsts = nodes.nodes.firsts
            let cluster = clusters.partitionPoint { firsts[$0] >= end }
            taken.clusters = clusters.lowerBound..<cluster
            leaves = taken.leaves.upperBound..<leaves.upperBound
            clusters = cluster..<clusters.upperBound
            return taken
        }
    }

    fileprivate struct State: ~Copyable {
        var streams: [CellLeaves]
        /// The streams by their next leaf.
        var heap = LeastFirst<Keyed<Int, Int>>()
        var next: Int
        /// The number of clusters above the cut that have been added.
        var topClusters = 0
        /// The clusters that hold the next leaf, the innermost last.
        var open: [LeafTask.Open]
        /// The leaf after the last cluster that a block may hold.
        var smallEnd = 0
        var cutter: BlockCutter
        /// The parts that are in no piece yet.
        var waiting: [Part] = []
        /// The number of blocks in pieces, and the leaf after them.
        var taken: (blocks: Int, leaves: Int)
    }

    private let job: CellJob
    private let task: LeafTask
    /// The clusters above the cut that begin with these leaves.
    private let above: CellNodes
    private let state: Mutex<State>

    /// - Parameter streams: the leaves of each cell that has some.
    init(
        _ job: CellJob, _ task: LeafTask, above: CellNodes, _ streams: [CellLeaves]
    ) {
        self.job = job
        self.task = task
        self.above = above
        let first = task.leaves.lowerBound
        var initial = State(
            streams: streams, next: first, open: task.open,
            cutter: BlockCutter(at: Int64(first), within: task.open.map { Int64($0.end) }),
            taken: (0, first))
        for index in streams.indices {
            if let next = streams[index].next { initial.heap.insert(Keyed(next, index)) }
        }
        state = Mutex(initial)
    }

    /// The large clusters, by blocks counted from the first leaf: those that began before come first.
    var large: [LargeCluster] { state.withLock { $0.cutter.large } }

    /// The indexes of those that continue after these leaves, the outermost first.
    var unfinished: [Int] { state.withLock { $0.cutter.unfinished } }

    func next() throws -> Piece? {
        try state.withLock { state in
            while true {
                let end = task.leaves.upperBound
                if let piece = state.takePiece(end: end) { return piece }
                if state.next == end { return nil }
                let first = state.next
                var nodes = try read(upTo: min(first + LeafStretch.size, end), &state)
                // A cluster of a block's size is cut as a whole, so all of it must be read.
                if state.next < min(state.smallEnd, end) {
                    nodes.append(try read(upTo: min(state.smallEnd, end), &state))
                }
                state.cut(job.drawn(nodes, of: task.layer), firstLeaf: first)
                if state.next == end { state.cutter.finish() }
                state.waiting.append(Part(nodes, first: first))
            }
        }
    }

    private func read(upTo end: Int, _ state: inout State) throws -> CellNodes {
        try job.checkCancelled()
        var nodes = CellNodes(keys: job.keys)
        while state.next < end {
            let first = state.heap.removeLeast()
            let limit = min(end, state.heap.least?.key ?? end)
            guard let index = first?.item, let start = state.streams[index].next,
                start == state.next, start < limit
            else {
                throw JobError.doesNotAddUp("leaf \(state.next) is in no cell, or in several")
            }
            state.next += try state.streams[index].take(below: limit, into: &nodes)
            if let next = state.streams[index].next { state.heap.insert(Keyed(next, index)) }
        }
        try finish(&nodes, upTo: state.next, &state)
        return nodes
    }

    func stretch(of piece: Piece) -> LeafStretch {
        var nodes = CellNodes(keys: job.keys)
        for part in piece.parts {
            nodes.append(part.nodes, leaves: part.leaves, clusters: part.clusters)
        }
        let layer = job.drawn(nodes, of: task.layer)
        let first = piece.parts.first.map { $0.first + $0.leaves.lowerBound } ?? 0
        return LeafStretch(
            index: task.layer, layer: layer, leaves: 0..<layer.tree.leafCount,
            firstLeaf: Int64(job.firstLeaves[task.layer] + first),
            clusters: 0..<layer.tree.clusterCount, blocks: piece.blocks)
    }

    /// Adds the clusters above the cut, and sets the parent of each cluster.
    private func finish(
        _ part: inout CellNodes, upTo end: Int, _ state: inout State
    ) throws(JobError) {
        let begin = state.topClusters
        let firsts = above.nodes.firsts
        while state.topClusters < firsts.count, firsts[state.topClusters] < end {
            state.topClusters += 1
        }
        let own = begin..<state.topClusters
        if !own.isEmpty { part.mergeClusters(own, of: above) }
        let nodes = part.nodes
        for cluster in 0..<nodes.firsts.count {
            let leaf = nodes.firsts[cluster]
            while let innermost = state.open.last, innermost.end <= leaf { state.open.removeLast() }
            let behind = leaf + nodes.leaves[cluster]
            if nodes.leaves[cluster] <= LeafBlockLayout.mostLeaves {
                guard behind <= task.leaves.upperBound else {
                    throw .doesNotAddUp("the cluster at leaf \(leaf) extends beyond its task")
                }
                state.smallEnd = max(state.smallEnd, behind)
            }
            let parent = state.open.last
            part.nodes.parentZooms[cluster] =
                parent.map { Int8($0.zoom) } ?? Int8(job.zooms.zooms.lowerBound) - 1
            state.open.append(.init(zoom: UInt8(nodes.zooms[cluster]), end: behind))
        }
    }
}

extension TaskLeaves.State {
    /// Finds the blocks of the leaves that were read.
    mutating func cut(_ part: DrawnLayer, firstLeaf: Int) {
        let end = firstLeaf + part.tree.leafCount
        cutter.cross(
            part, 0..<part.tree.clusterCount, upTo: Int64(end), offset: Int64(firstLeaf),
            threads: 1)
    }

    /// Takes the finished blocks, if they are many or the last.
    mutating func takePiece(end last: Int) -> TaskLeaves.Piece? {
        guard let end = cutter.ends.last.map({ Int($0) }), end > taken.leaves,
            next == last || end - taken.leaves >= LeafStretch.size
        else { return nil }
        var piece = TaskLeaves.Piece()
        var start = taken.leaves
        for end in cutter.ends[taken.blocks...] {
            piece.blocks.append(Int(end) - start)
            start = Int(end)
        }
        while let index = waiting.indices.first {
            let part = waiting[index].split(before: end)
            if !part.leaves.isEmpty { piece.parts.append(part) }
            guard waiting[index].leaves.isEmpty else { break }
            waiting.removeFirst()
        }
        taken = (cutter.ends.count, end)
        return piece
    }
}
