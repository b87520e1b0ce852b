import Geometry
import VectorTile

/// Takes the nodes of tiles one by one, so that not all nodes of a tile are in memory.
protocol NodeSink {
    /// Begins the nodes of a layer.
    mutating func begin(_ layer: borrowing LayerView, of tile: TileID)
    mutating func take(_ node: DrawnNode)
}

/// Nil takes no nodes.
extension Optional: NodeSink where Wrapped: NodeSink {
    mutating func begin(_ layer: borrowing LayerView, of tile: TileID) {
        self?.begin(layer, of: tile)
    }

    mutating func take(_ node: DrawnNode) { self?.take(node) }
}

extension [DrawnNode]: NodeSink {
    mutating func begin(_ layer: borrowing LayerView, of tile: TileID) {
        // An array that grows by itself would take up to three times as much memory for a while.
        if isEmpty { reserveCapacity(layer.featureCount) }
    }

    mutating func take(_ node: DrawnNode) { append(node) }
}

/// Counts of the nodes in one layer of a tile.
struct NodeCounts {
    /// The nodes outside the tile.
    private(set) var copies = 0
    /// The nodes inside the tile, and the number of points that they stand for.
    private(set) var nodes = 0
    private(set) var clusters = 0
    private(set) var points = 0
    private(set) var largest: (id: UInt64?, points: Int)?

    mutating func include(_ node: DrawnNode) {
        guard node.isInTile else {
            copies += 1
            return
        }
        nodes += 1
        points &+= Int(node.pointCount)
        guard node.isCluster else { return }
        clusters += 1
        if Int(node.pointCount) > largest?.points ?? 0 {
            largest = (node.hasID ? node.id : nil, Int(node.pointCount))
        }
    }
}
