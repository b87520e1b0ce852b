import Geometry
import VectorTile

/// Takes the nodes of tiles one by one, so that all of a tile need not be held.
protocol NodeSink {
    /// Says whose nodes come next.
    mutating func begin(_ layer: borrowing LayerView, of tile: TileID)
    mutating func take(_ node: DrawnNode)
}

/// Nil is for who wants none.
extension Optional: NodeSink where Wrapped: NodeSink {
    mutating func begin(_ layer: borrowing LayerView, of tile: TileID) {
        self?.begin(layer, of: tile)
    }

    mutating func take(_ node: DrawnNode) { self?.take(node) }
}

extension [DrawnNode]: NodeSink {
    mutating func begin(_ layer: borrowing LayerView, of tile: TileID) {
        // An array that grows by itself takes up to three times as much meanwhile.
        if isEmpty { reserveCapacity(layer.featureCount) }
    }

    mutating func take(_ node: DrawnNode) { append(node) }
}

/// What the nodes of one layer of a tile come to.
struct NodeCounts {
    /// Those that lie outside the tile.
    private(set) var copies = 0
    /// Those inside it, and for how many points they stand.
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
