import ArchiveContract
import Clustering
import ParallelColumns
import Points

/// All layers of a build as one population of nodes, which layouts know by number: the points of
/// all layers in leaf order, then all clusters in the order of their ids.
struct DrawnLayers: Sendable {
    let layers: [DrawnLayer]
    let leafCount: Int
    let nodeCount: Int
    /// The ids of clusters, which lie above those of all points.
    let ids: ClusterIDs
    private let firstClusters: [Int]

    init(_ layers: [DrawnLayer]) {
        self.layers = layers
        let leafCount = layers.reduce(0) { $0 + $1.tree.leafCount }
        var next = leafCount
        firstClusters = layers.map { layer in
            defer { next += layer.tree.clusterCount }
            return next
        }
        nodeCount = next
        self.leafCount = leafCount
        ids = ClusterIDs(
            abovePointID: layers.compactMap { $0.table.greatestID }.max(),
            leafCount: Int64(leafCount))
    }

    /// The same layers with their points copied into leaf order.
    func inLeafOrder(threads: Int) throws -> DrawnLayers {
        DrawnLayers(try layers.map { try $0.inLeafOrder(threads: threads) })
    }

    /// All attribute names; a name's index is its key's number, in points and clusters alike.
    var keyNames: [String] { layers.first?.table.attributes.keys.names ?? [] }

    /// What a number stands for, and in which layer.
    enum Node {
        case leaf(layer: Int, Int)
        case cluster(layer: Int, Int)
    }

    /// - Complexity: O(layers), of which there are few.
    func node(_ number: UInt32) -> Node {
        let number = Int(number)
        if number < leafCount {
            var layer = layers.count - 1
            while number < layers[layer].firstLeaf { layer -= 1 }
            return .leaf(layer: layer, number - layers[layer].firstLeaf)
        }
        var layer = layers.count - 1
        while number < firstClusters[layer] { layer -= 1 }
        return .cluster(layer: layer, number - firstClusters[layer])
    }

    /// The number of a node's first leaf, by which features are ordered in a tile.
    func firstLeaf(of number: UInt32) -> UInt32 {
        guard case .cluster(let layer, let cluster) = node(number) else { return number }
        return UInt32(layers[layer].firstLeaf) + layers[layer].firsts[cluster]
    }

    /// The nodes in the order of their numbers, for laying out.
    private func unsorted(maxZoom: UInt8, workers: Workers) -> TileNodes.Unsorted {
        let nodes = TileNodes.Unsorted(count: nodeCount, in: workers.scratch)
        for (layer, firstCluster) in zip(layers, firstClusters) {
            let leaves = workers.cut(layer.tree.leafCount)
            workers.forEach(leaves.count) { piece in
                layer.setLeaves(leaves[piece], in: nodes, maxZoom: maxZoom)
            }
            let clusters = workers.cut(layer.tree.clusterCount)
            workers.forEach(clusters.count) { piece in
                layer.setClusters(clusters[piece], in: nodes, from: firstCluster)
            }
        }
        return nodes
    }

    /// All nodes along the Hilbert curve.
    func nodes(maxZoom: UInt8, threads: Int) -> TileNodes {
        let scratch = (HilbertSort.scratch + TileNodes.Unsorted.size) * nodeCount
        return Workers.with(threads, expecting: scratch) { workers in
            TileNodes(
                unsorted(maxZoom: maxZoom, workers: workers), maxZoom: maxZoom, workers: workers)
        }
    }
}

extension PointTable {
    /// The greatest feature id, if any point has one.
    fileprivate var greatestID: UInt64? {
        guard let ids else { return nil }
        let span = ids.span
        var greatest: UInt64?
        for index in span.indices where span[index] != Self.noID {
            greatest = max(greatest ?? 0, span[index])
        }
        return greatest
    }
}
