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
    /// All nodes, in the order of their numbers.
    private let sections: [Section]

    private enum Kind: CaseIterable { case leaf, cluster, heat, leg, bin }

    /// The nodes of one kind in a layer.
    private struct Section {
        let kind: Kind
        let layer: Int
        let numbers: Range<Int>
    }

    init(_ layers: [DrawnLayer]) {
        self.layers = layers
        var sections: [Section] = []
        var ends: [Kind: Int] = [:]
        var next = 0
        for kind in Kind.allCases {
            for (index, layer) in layers.enumerated() {
                let end = next + Self.count(of: kind, in: layer)
                sections.append(Section(kind: kind, layer: index, numbers: next..<end))
                next = end
            }
            ends[kind] = next
        }
        self.sections = sections
        (leafCount, nodeCount, drawnCount) = (ends[.leaf] ?? 0, ends[.cluster] ?? 0, next)
    }

    private static func count(of kind: Kind, in layer: DrawnLayer) -> Int {
        let tree = layer.tree
        return switch kind {
        case .leaf: tree.leafCount
        case .cluster: tree.clusterCount
        case .heat: layer.extras.heatMaxZoom == nil ? 0 : tree.leafCount + tree.clusterCount
        case .leg: layer.spread?.steps.count ?? 0
        case .bin: layer.bins?.steps.count ?? 0
        }
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
        var index = 0
        while number >= sections[index].numbers.upperBound { index += 1 }
        let (layer, node) = (sections[index].layer, number - sections[index].numbers.lowerBound)
        return switch sections[index].kind {
        case .leaf: .leaf(layer: layer, node)
        case .cluster: .cluster(layer: layer, node)
        case .heat: .heat(layer: layer, node)
        case .leg: .leg(layer: layer, layers[layer].spread?.steps[node].leaf ?? 0)
        case .bin: .bin(layer: layer, node)
        }
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
        for section in sections {
            let (layer, first) = (layers[section.layer], section.numbers.lowerBound)
            let pieces = workers.cut(section.numbers.count)
            workers.forEach(pieces.count) { piece in
                let own = pieces[piece]
                switch section.kind {
                case .leaf: layer.setLeaves(own, in: nodes, from: first, maxZoom: maxZoom)
                case .cluster: layer.setClusters(own, in: nodes, from: first)
                case .heat: layer.setHeat(own, in: nodes, from: first)
                case .leg: layer.setLegs(own, in: nodes, from: first)
                case .bin: layer.setBins(own, in: nodes, from: first)
                }
            }
        }
        return nodes
    }

    /// All nodes along the Hilbert curve.
    func nodes(maxZoom: UInt8, threads: Int) -> TileNodes {
        let scratch = (HilbertSort.scratch + TileNodes.Unsorted.size) * drawnCount
        return Workers.with(threads, expecting: scratch) { workers in
            var nodes = TileNodes(
                unsorted(maxZoom: maxZoom, workers: workers), maxZoom: maxZoom, workers: workers,
                precedes: precedes)
            let legs = sections.first { $0.kind == .leg }
            nodes.firstUnbounded = legs.map { UInt32($0.numbers.lowerBound) } ?? .max
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
