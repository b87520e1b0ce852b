import ArchiveContract
import Basics
import Clustering
import Geometry
import Points
import Synchronization

/// All leaves and clusters of an archive in their order, out of the files of cells.
final class LeafWalk: LeafSource {
    struct Piece: Sendable {
        /// Numbers in the archive.
        let leaves: Range<Int>
        /// For each layer that has leaves here.
        var parts: [Part] = []
    }

    struct Part: Sendable {
        let layer: Int
        var nodes: CellNodes
        /// For each cluster the one that it goes into.
        var parents: [ClusterKey?] = []
    }

    private struct State: ~Copyable {
        var streams: [LeafFileReader]
        /// Streams by their next leaf.
        var heap = LeastFirst<Keyed<Int, Int>>()
        var next = 0
        /// For each layer, how many clusters above the cut have come.
        var topClusters: [Int]
        /// The clusters that hold the next leaf, the innermost last.
        var open: [(end: Int64, key: ClusterKey)] = []
    }

    private let job: CellJob
    private let top: [TopClusters]
    private let firstLeaves: [Int]
    private let state: Mutex<State>

    /// How many leaves a piece has.
    private let step: Int

    init(_ job: CellJob, top: [TopClusters], _ layout: LeafBlockLayout) throws {
        self.job = job
        step = LeafStretch.size(in: layout)
        self.top = top
        firstLeaves = job.firstLeaves
        let streams = try job.division.cells.map {
            try LeafFileReader(job.files.leaves(of: $0.cellName), job)
        }
        var initial = State(streams: streams, topClusters: top.map { _ in 0 })
        for index in initial.streams.indices {
            if let next = initial.streams[index].next {
                initial.heap.insert(Keyed(next, index))
            }
        }
        state = Mutex(initial)
    }

    func next() throws -> Piece? {
        try state.withLock { state in
            guard state.next < job.plan.leafCount else { return nil }
            let end = min(state.next + step, job.plan.leafCount)
            var piece = Piece(leaves: state.next..<end)
            while state.next < end {
                guard let index = state.heap.removeLeast()?.item,
                    let start = state.streams[index].next, start == state.next
                else {
                    throw JobError.doesNotAddUp("leaf \(state.next) is in no cell, or in two")
                }
                let limit = min(end, state.heap.least?.key ?? end)
                if let more = try state.streams[index].take(below: limit) {
                    piece.append(more)
                    state.next += more.leaves.count
                }
                if let next = state.streams[index].next {
                    state.heap.insert(Keyed(next, index))
                }
            }
            for part in piece.parts.indices { finish(&piece.parts[part], &state) }
            return piece
        }
    }

    func stretch(of piece: Piece) -> LeafStretch {
        LeafStretch(
            leaves: Int64(piece.leaves.lowerBound)..<Int64(piece.leaves.upperBound),
            parts: piece.parts.map { part in
                let first = firstLeaves[part.layer]
                let layer = part.nodes.drawn(
                    as: job.recipe.layers[part.layer], .none, firstLeaf: first, firstNumber: 0)
                return LeafStretch.Part(
                    index: part.layer, layer: layer, leaves: 0..<layer.tree.leafCount,
                    firstLeaf: Int64(first) + Int64(part.nodes.leafNumbers[0]),
                    clusters: 0..<layer.tree.clusterCount, parents: part.parents)
            })
    }

    /// Puts the clusters above the cut between the others, and finds what each goes into.
    private func finish(_ part: inout Part, _ state: inout State) {
        let above = top[part.layer].nodes
        let last = part.nodes.leafNumbers[part.nodes.leafNumbers.count - 1]
        let begin = state.topClusters[part.layer]
        var end = begin
        while end < above.nodes.firsts.count, above.nodes.firsts[end] <= last { end += 1 }
        state.topClusters[part.layer] = end
        if end > begin { part.nodes.mergeClusters(begin..<end, of: above) }
        let nodes = part.nodes.nodes
        let first = Int64(firstLeaves[part.layer])
        for cluster in 0..<nodes.firsts.count {
            let leaf = first + Int64(nodes.firsts[cluster])
            while let innermost = state.open.last, innermost.end <= leaf { state.open.removeLast() }
            let parent = state.open.last?.key
            part.parents.append(parent)
            part.nodes.nodes.parentZooms[cluster] =
                parent.map { Int8($0.zoom) } ?? Int8(job.zooms.zooms.lowerBound) - 1
            let key = ClusterKey(firstLeaf: leaf, zoom: UInt8(nodes.zooms[cluster]))
            state.open.append((leaf + Int64(nodes.leaves[cluster]), key))
        }
    }
}

extension LeafWalk.Piece {
    fileprivate mutating func append(_ more: LeafFileReader.Stretch) {
        if parts.last?.layer != more.layer {
            parts.append(
                LeafWalk.Part(layer: more.layer, nodes: CellNodes(keys: more.nodes.records.keys)))
        }
        parts[parts.count - 1].nodes.append(
            more.nodes, leaves: more.leaves, clusters: more.clusters)
    }
}

extension CellNodes {
    /// Appends some leaves and clusters of others.
    fileprivate mutating func append(
        _ other: CellNodes, leaves: Range<Int>, clusters: Range<Int>
    ) {
        leafNumbers.append(contentsOf: other.leafNumbers.span.extracting(leaves))
        nodes.leafParentZooms.append(
            contentsOf: other.nodes.leafParentZooms.span.extracting(leaves))
        let rows = Array(UInt32(leaves.lowerBound)..<UInt32(leaves.upperBound))
        points.append(PointBatch(rows.span, of: other.points))
        for cluster in clusters {
            append(cluster: cluster, of: other)
        }
    }

    /// Puts clusters between these; both come in their order.
    fileprivate mutating func mergeClusters(_ others: Range<Int>, of above: CellNodes) {
        let old = self
        nodes.removeClusters()
        ids = Column()
        records = AttributeTable(keys: old.records.keys)
        traits = ClusterTraits()
        var next = others.lowerBound
        for cluster in 0..<old.nodes.firsts.count {
            while next < others.upperBound, above.nodes.key(of: next) < old.nodes.key(of: cluster) {
                append(cluster: next, of: above)
                next += 1
            }
            append(cluster: cluster, of: old)
        }
        while next < others.upperBound {
            append(cluster: next, of: above)
            next += 1
        }
    }
}

extension LooseNodes {
    fileprivate mutating func removeClusters() {
        let leaves = leafParentZooms
        self = LooseNodes()
        leafParentZooms = leaves
    }
}
