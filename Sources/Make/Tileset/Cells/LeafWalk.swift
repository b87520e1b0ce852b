import ArchiveContract
import Basics
import Clustering
import Geometry
import Points
import Synchronization

/// All leaves and clusters of an archive in their order, out of the files of cells.
final class LeafWalk: LeafSource {
    /// Whole blocks of a layer, in parts as they were read.
    struct Piece: Sendable {
        let layer: Int
        var parts: [Part] = []
        /// How many leaves each block has.
        var blocks: [Int] = []
    }

    /// Some of the leaves that were read together, and of the clusters that begin with them.
    struct Part: Sendable {
        var nodes: CellNodes
        var leaves: Range<Int>
        var clusters: Range<Int>

        init(_ nodes: CellNodes) {
            self.nodes = nodes
            leaves = 0..<nodes.points.count
            clusters = 0..<nodes.nodes.firsts.count
        }

        /// Takes the leaves before a number of the layer away, and gives them.
        mutating func split(before end: Int) -> Part {
            let base = Int(nodes.leafNumbers[0])
            var first = self
            first.leaves = leaves.lowerBound..<min(end - base, leaves.upperBound)
            let firsts = nodes.nodes.firsts
            let cluster = clusters.partitionPoint { Int(firsts[$0]) >= end }
            first.clusters = clusters.lowerBound..<cluster
            leaves = first.leaves.upperBound..<leaves.upperBound
            clusters = cluster..<clusters.upperBound
            return first
        }
    }

    fileprivate struct State: ~Copyable {
        var streams: [LeafFileReader]
        /// Streams by their next leaf.
        var heap = LeastFirst<Keyed<Int, Int>>()
        var next = 0
        /// For each layer, how many clusters above the cut have come.
        var topClusters: [Int]
        /// The clusters that hold the next leaf, the innermost last.
        var open: [(end: Int64, key: ClusterKey)] = []
        /// The layer that is cut, and what of it is in no piece yet.
        var layer = 0
        var cutter: BlockCutter
        var waiting: [Part] = []
        /// How many blocks of the layer are in pieces, and where they end.
        var taken: (blocks: Int, leaves: Int) = (0, 0)
        var large: [LargeCluster] = []
        var blockCount: Int64 = 0
    }

    private let job: CellJob
    private let top: [TopClusters]
    private let layouts: [LeafBlockLayout]
    private let firstLeaves: [Int]
    private let state: Mutex<State>

    init(_ job: CellJob, top: [TopClusters], _ layouts: [LeafBlockLayout]) throws {
        self.job = job
        self.top = top
        self.layouts = layouts
        firstLeaves = job.firstLeaves
        let streams = try job.division.cells.map {
            try LeafFileReader(job.files.leaves(of: $0.cellName), job)
        }
        var initial = State(
            streams: streams, topClusters: top.map { _ in 0 }, cutter: BlockCutter(layouts[0]))
        for index in initial.streams.indices {
            if let next = initial.streams[index].next {
                initial.heap.insert(Keyed(next, index))
            }
        }
        state = Mutex(initial)
    }

    var large: [LargeCluster] { state.withLock { $0.large } }

    func next() throws -> Piece? {
        try state.withLock { state in
            while true {
                let end = layerEnd(state.layer)
                if let piece = state.takePiece(layerEnd: end) { return piece }
                if state.next == end {
                    guard state.layer + 1 < layouts.count else { return nil }
                    state.begin(layer: state.layer + 1, layouts)
                    continue
                }
                let nodes = try read(upTo: min(state.next + LeafStretch.size, end), &state)
                state.cut(drawn(nodes, of: state.layer), firstLeaf: Int(nodes.leafNumbers[0]))
                if state.next == end { state.cutter.finish() }
                state.waiting.append(Part(nodes))
            }
        }
    }

    /// The number behind the last leaf of a layer.
    private func layerEnd(_ layer: Int) -> Int {
        layer + 1 < firstLeaves.count ? firstLeaves[layer + 1] : job.plan.leafCount
    }

    private func read(upTo end: Int, _ state: inout State) throws -> CellNodes {
        try job.checkCancelled()
        var nodes = CellNodes(keys: job.keys)
        while state.next < end {
            guard let index = state.heap.removeLeast()?.item,
                let start = state.streams[index].next, start == state.next
            else {
                throw JobError.doesNotAddUp("leaf \(state.next) is in no cell, or in two")
            }
            let limit = min(end, state.heap.least?.key ?? end)
            if let more = try state.streams[index].take(below: limit) {
                nodes.append(more.nodes, leaves: more.leaves, clusters: more.clusters)
                state.next += more.leaves.count
            }
            if let next = state.streams[index].next { state.heap.insert(Keyed(next, index)) }
        }
        finish(&nodes, of: state.layer, &state)
        return nodes
    }

    func stretch(of piece: Piece) -> LeafStretch {
        var nodes = CellNodes(keys: job.keys)
        for part in piece.parts {
            nodes.append(part.nodes, leaves: part.leaves, clusters: part.clusters)
        }
        let layer = drawn(nodes, of: piece.layer)
        return LeafStretch(
            index: piece.layer, layer: layer, leaves: 0..<layer.tree.leafCount,
            firstLeaf: Int64(firstLeaves[piece.layer]) + Int64(nodes.leafNumbers[0]),
            clusters: 0..<layer.tree.clusterCount, blocks: piece.blocks)
    }

    private func drawn(_ nodes: CellNodes, of layer: Int) -> DrawnLayer {
        nodes.drawn(
            as: job.recipe.layers[layer], .none, firstLeaf: firstLeaves[layer], firstNumber: 0)
    }

    /// Puts the clusters above the cut between the others, and finds at which zoom the parent of each formed.
    private func finish(_ part: inout CellNodes, of layer: Int, _ state: inout State) {
        let above = top[layer].nodes
        let last = part.leafNumbers[part.leafNumbers.count - 1]
        let begin = state.topClusters[layer]
        var end = begin
        while end < above.nodes.firsts.count, above.nodes.firsts[end] <= last { end += 1 }
        state.topClusters[layer] = end
        if end > begin { part.mergeClusters(begin..<end, of: above) }
        let nodes = part.nodes
        let first = Int64(firstLeaves[layer])
        for cluster in 0..<nodes.firsts.count {
            let leaf = first + Int64(nodes.firsts[cluster])
            while let innermost = state.open.last, innermost.end <= leaf { state.open.removeLast() }
            let parent = state.open.last?.key
            part.nodes.parentZooms[cluster] =
                parent.map { Int8($0.zoom) } ?? Int8(job.zooms.zooms.lowerBound) - 1
            let key = ClusterKey(firstLeaf: leaf, zoom: UInt8(nodes.zooms[cluster]))
            state.open.append((leaf + Int64(nodes.leaves[cluster]), key))
        }
    }
}

extension LeafWalk.State {
    mutating func begin(layer: Int, _ layouts: [LeafBlockLayout]) {
        self.layer = layer
        cutter = BlockCutter(layouts[layer])
        taken = (0, 0)
    }

    /// Finds the blocks of what was read.
    mutating func cut(_ part: DrawnLayer, firstLeaf: Int) {
        let end = firstLeaf + part.tree.leafCount
        cutter.cross(part, 0..<part.tree.clusterCount, upTo: Int64(end), offset: Int64(firstLeaf))
    }

    /// Takes the blocks that are finished, if they are many or the layer's last.
    mutating func takePiece(layerEnd: Int) -> LeafWalk.Piece? {
        let isLast = next == layerEnd
        guard let end = cutter.ends.last.map({ Int($0) }), end > taken.leaves,
            isLast || end - taken.leaves >= LeafStretch.size
        else { return nil }
        var piece = LeafWalk.Piece(layer: layer)
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
        if isLast {
            for cluster in cutter.large { large.append(cluster.moved(by: blockCount)) }
            blockCount += Int64(cutter.ends.count)
        }
        return piece
    }
}
