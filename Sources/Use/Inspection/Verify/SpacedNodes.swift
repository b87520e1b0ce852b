import ArchiveContract
import Basics
import Geometry
import VectorTile

/// Collects the nodes of a batch's tiles for the spacing check.
///
/// A tile with very many nodes has two that are too near each other, and these two are enough.
struct SpacedNodes {
    private struct Kept {
        let number: Int32
        let name: [UInt8]
        let layer: ClusterDescription.Layer
    }
    /// The hierarchies that keep a spacing; each has a layer of its own.
    private let hierarchies: [Kept]
    var nodes: [SpacingCheck.Spaced] = []
    // The state of the present layer.
    private var kept: Int?
    private var start = 0
    private var many = SpacingCheck.many

    init(_ facts: CoveyFacts) {
        hierarchies = facts.layers.enumerated().filter { facts.keepsSpacing($0.element) }.map {
            Kept(number: Int32($0.offset), name: Array($0.element.name.utf8), layer: $0.element)
        }
    }

    mutating func begin(_ layer: borrowing LayerView, of tile: TileID) {
        let name = layer.nameBytes
        kept = hierarchies.firstIndex {
            $0.layer.clusterZooms.contains(Int(tile.z)) && name.holdsSame(as: $0.name)
        }
        start = nodes.count
        many = SpacingCheck.many
    }

    mutating func take(_ node: DrawnNode, in tile: TileID) {
        guard let kept else { return }
        // A node at the antimeridian of a flat world may belong to either edge.
        if tile.x == 0, node.position.x == 0, !hierarchies[kept].layer.wraps { return }
        let extent = Int64(node.extent)
        nodes.append(
            SpacingCheck.Spaced(
                x: Int64(tile.x) * extent + Int64(node.position.x),
                y: Int64(tile.y) * extent + Int64(node.position.y),
                hierarchy: hierarchies[kept].number,
                zoom: tile.z, column: tile.x, extent: node.extent))
        if nodes.count - start >= many { thinOut(hierarchies[kept].layer) }
    }

    private mutating func thinOut(_ layer: ClusterDescription.Layer) {
        many = 2 * (nodes.count - start)
        var own = Array(nodes[start...])
        guard let pair = SpacingCheck.nearPair(of: &own, in: layer) else { return }
        nodes.removeSubrange(start...)
        nodes += [pair.0, pair.1]
        kept = nil
    }
}

extension ClusterDescription.Layer {
    /// The radius in units of the zoom's grid, minus the error of two rounded positions.
    func radius(of node: SpacingCheck.Spaced) -> Double? {
        clustering.map { clustering in
            // At the world's width, each node would meet its own copy across the antimeridian.
            let world = 512 * Double(UInt64(1) << UInt64(node.zoom))
            let radius = min(clustering.radius.pixels(at: Int(node.zoom)), world)
            // Deep zooms have more units than the grid of 2^32 steps by which nodes are drawn.
            let step = Double(Int64(node.extent) << Int64(node.zoom)) * 0x1p-32
            return radius * Double(node.extent) / 512 - 1.5 - 1.5 * step
        }
    }
}
