import ArchiveContract
import Clustering
import ParallelColumns
import Points

/// All layers of a build as one set of nodes, which layouts know by number: first the points of all
/// layers in leaf order, then all clusters in the order of their ids, then the nodes of each
/// layer's companion layers, which are drawn by themselves.
struct DrawnLayers: Sendable {
    let layers: [DrawnLayer]
    let leafCount: Int
    let nodeCount: Int
    /// The number of points, clusters and nodes of companion layers.
    let drawnCount: Int
    private let firstClusters: [Int]
    /// The numbers of the first heat nodes and legs of each layer; they end where the next begin.
    private let firstHeats: [Int]
    private let firstLegs: [Int]
    private let firstBins: [Int]

    init(_ layers: [DrawnLayer]) {
        self.layers = layers
        let leafCount = layers.reduce(0) { $0 + $1.tree.leafCount }
        var next = leafCount
        firstClusters = layers.map { layer in
            defer { next += layer.tree.clusterCount }
            return next
        }
        nodeCount = next
        firstHeats = layers.map { layer in
            defer {
                let nodes = layer.tree.leafCount + layer.tree.clusterCount
                next += layer.extras.heatMaxZoom == nil ? 0 : nodes
            }
            return next
        }
        firstLegs = layers.map { layer in
            defer { next += layer.spread?.steps.count ?? 0 }
            return next
        }
        firstBins = layers.map { layer in
            defer { next += layer.bins?.steps.count ?? 0 }
            return next
        }
        drawnCount = next
        self.leafCount = leafCount
    }

    /// Whether points have ids so great that clusters may share them.
    var mayEqualPointIDs: Bool {
        layers.contains { ($0.table.greatestID ?? 0) >= UInt64(PlaceID.least) }
    }

    /// Calls `body` with the ids of all clusters, ascending, and the first leaf of each.
    func forEachID(threads: Int, _ body: (Int64, Int64) throws -> Void) throws {
        for layer in layers {
            let (ids, firsts) = (layer.ids, layer.firsts)
            let scratch = 2 * MemoryLayout<SortEntry>.stride * ids.count
            try Workers.with(threads, expecting: scratch) { workers in
                let entries = SharedColumn<SortEntry>(count: ids.count, in: workers.scratch)
                for cluster in 0..<ids.count {
                    let key = UInt64(ids[cluster] - PlaceID.least)
                    entries[cluster] = SortEntry(key: key, item: UInt32(cluster))
                }
                let order = RadixSort.sorted(entries, bits: 52, workers: workers)
                for row in 0..<order.count {
                    let cluster = Int(order[row].item)
                    try body(ids[cluster], Int64(layer.firstLeaf) + Int64(firsts[cluster]))
                }
            }
        }
    }

    /// The same layers with their points copied into leaf order.
    func inLeafOrder(threads: Int) throws -> DrawnLayers {
        DrawnLayers(try layers.map { try $0.inLeafOrder(threads: threads) })
    }

    /// All attribute names; a name's index is its key's number, in points and clusters alike.
    var keyNames: [String] { layers.first?.table.attributes.keys.names ?? [] }

    /// The meaning of a node's number.
    enum Node {
        case leaf(layer: Int, Int)
        case cluster(layer: Int, Int)
        /// A leaf, or a cluster numbered after all leaves, in the heat layer.
        case heat(layer: Int, Int)
        /// The leg of a leaf.
        case leg(layer: Int, Int)
        /// The step of a bin.
        case bin(layer: Int, Int)
    }

    /// - Complexity: O(layers); there are few.
    func node(_ number: UInt32) -> Node {
        let number = Int(number)
        if number < leafCount {
            var layer = layers.count - 1
            while number < layers[layer].firstNumber { layer -= 1 }
            return .leaf(layer: layer, number - layers[layer].firstNumber)
        }
        guard number < nodeCount else { return companion(number) }
        var layer = layers.count - 1
        while number < firstClusters[layer] { layer -= 1 }
        return .cluster(layer: layer, number - firstClusters[layer])
    }

    private func companion(_ number: Int) -> Node {
        var layer = layers.count - 1
        if let first = firstBins.first, number >= first {
            while number < firstBins[layer] { layer -= 1 }
            return .bin(layer: layer, number - firstBins[layer])
        }
        if let first = firstLegs.first, number >= first {
            while number < firstLegs[layer] { layer -= 1 }
            let step = number - firstLegs[layer]
            return .leg(layer: layer, layers[layer].spread?.steps[step].leaf ?? 0)
        }
        while number < firstHeats[layer] { layer -= 1 }
        return .heat(layer: layer, number - firstHeats[layer])
    }

    /// The order of features in a tile: layer by layer, and after all points and clusters the
    /// companion layers.
    func group(of number: UInt32) -> Int {
        switch node(number) {
        case .leaf(let layer, _), .cluster(let layer, _): layer
        case .heat(let layer, _): layers.count + 3 * layer
        case .leg(let layer, _): layers.count + 3 * layer + 1
        case .bin(let layer, _): layers.count + 3 * layer + 2
        }
    }

    /// The order of nodes that are drawn at one place. It depends on these nodes alone, so that a
    /// tile stays the same when other parts of the world change.
    func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
        switch (node(a), node(b)) {
        case (.cluster(let layer, let own), .cluster(let other, let others)) where layer == other:
            layers[layer].ids[own] < layers[layer].ids[others]
        case (.leaf(let layer, let own), .leaf(let other, let others)) where layer == other:
            layers[layer].leaf(own, precedes: others)
        case (.leg(let layer, let own), .leg(let other, let others))
        where layer == other && own != others:
            layers[layer].leaf(own, precedes: others)
        case (.heat(let layer, let own), .heat(let other, let others)) where layer == other:
            layers[layer].member(own, precedes: others)
        default: a < b
        }
    }

    /// The nodes in the order of their numbers, for laying out.
    private func unsorted(maxZoom: UInt8, workers: Workers) -> TileNodes.Unsorted {
        let nodes = TileNodes.Unsorted(count: drawnCount, in: workers.scratch)
        for (index, layer) in layers.enumerated() {
            let firstCluster = firstClusters[index]
            let leaves = workers.cut(layer.tree.leafCount)
            workers.forEach(leaves.count) { piece in
                layer.setLeaves(leaves[piece], in: nodes, maxZoom: maxZoom)
            }
            let clusters = workers.cut(layer.tree.clusterCount)
            workers.forEach(clusters.count) { piece in
                layer.setClusters(clusters[piece], in: nodes, from: firstCluster)
            }
            setCompanions(of: index, in: nodes, workers)
        }
        return nodes
    }

    private func setCompanions(
        of index: Int, in nodes: TileNodes.Unsorted, _ workers: Workers
    ) {
        let layer = layers[index]
        layer.setLegs(in: nodes, from: firstLegs[index])
        layer.setBins(in: nodes, from: firstBins[index])
        guard layer.extras.heatMaxZoom != nil else { return }
        let pieces = workers.cut(layer.tree.leafCount + layer.tree.clusterCount)
        workers.forEach(pieces.count) { piece in
            layer.setHeat(pieces[piece], in: nodes, from: firstHeats[index])
        }
    }

    /// All nodes along the Hilbert curve.
    func nodes(maxZoom: UInt8, threads: Int) -> TileNodes {
        let scratch = (HilbertSort.scratch + TileNodes.Unsorted.size) * drawnCount
        return Workers.with(threads, expecting: scratch) { workers in
            var nodes = TileNodes(
                unsorted(maxZoom: maxZoom, workers: workers), maxZoom: maxZoom, workers: workers,
                precedes: precedes)
            nodes.firstUnbounded = firstLegs.first.map { UInt32($0) } ?? .max
            return nodes
        }
    }
}

extension PointTable {
    /// The greatest feature id, if any point has one.
    var greatestID: UInt64? {
        guard let ids else { return nil }
        let span = ids.span
        var greatest: UInt64?
        for index in span.indices where span[index] != Self.noID {
            greatest = max(greatest ?? 0, span[index])
        }
        return greatest
    }
}
