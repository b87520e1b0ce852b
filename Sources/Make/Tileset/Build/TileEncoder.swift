import ArchiveContract
import Compression
import Geometry
import Points
import VectorTile

/// Encodes batches of laid-out tiles into the bytes of an archive. Each worker has its own.
struct TileEncoder: ~Copyable {
    private let drawn: DrawnLayers
    let nodes: TileNodes
    var builder: TileBuilder
    private var compressor: GzipCompressor
    /// The values that each layer's clusters carry from the clustering itself.
    private let tags: [[ClusterTag]]
    let countKey: TileKey
    let placeKey: TileKey
    let quadbinKey: TileKey
    var scalar = PackedScalar()
    private var placed: [PlacedNode] = []
    /// Sums of the drawn nodes, where they are asked for.
    private let sums: NodeSums?
    /// Tiles of a job before this one.
    private var former: FormerTiles?
    /// The legs that a tile has, by layer and leaf.
    private var legs: [LeafOfLayer: [Leg]] = [:]

    private struct LeafOfLayer: Hashable {
        let layer: Int
        let leaf: Int
    }

    private typealias ClusterTag = (name: ClusterAttribute, key: TileKey)

    /// A node with its place in a tile.
    struct PlacedNode {
        /// Its group, and its row among the nodes of the layout.
        var order: UInt64
        var number: UInt32
        var row: Int { Int(truncatingIfNeeded: order & 0xFFFF_FFFF) }
        var x: Int32
        var y: Int32

        func isHere(_ extent: Int32) -> Bool { 0..<extent ~= x && 0..<extent ~= y }
    }

    /// - Parameters:
    ///   - sums: the sums of `drawn`'s nodes, where tiles are to have sums.
    ///   - former: tiles of a job before, which are not made again where they show the same.
    init(
        drawing drawn: DrawnLayers, nodes: TileNodes, compression: Int, sums: NodeSums? = nil,
        former: FormerTiles? = nil
    ) {
        self.drawn = drawn
        self.nodes = nodes
        self.sums = sums
        self.former = former
        // The table's key numbers are the builder's, so a record's tags need no look-up of names.
        builder = TileBuilder(keys: drawn.keyNames)
        var keys: [ClusterAttribute: TileKey] = [:]
        for attribute in ClusterAttribute.allCases {
            keys[attribute] = builder.key(attribute.name)
        }
        countKey = builder.key(ClusterAttribute.pointCount.name)
        placeKey = builder.key(PointSpread.attribute)
        quadbinKey = builder.key(Bins.quadbin)
        tags = drawn.layers.map { layer in
            layer.attributes.compactMap { name in keys[name].map { (name, $0) } }
        }
        compressor = GzipCompressor(level: compression)
    }

    mutating func encode(_ batch: TileBatches.Batch) throws(BuildError) -> EncodedTiles {
        var output = EncodedTiles(grid: batch.layout.grid)
        for index in batch.tiles {
            try encode(batch.layout.tiles[index], of: batch.layout, to: &output)
        }
        return output
    }

    private mutating func encode(
        _ tile: ZoomLayout.Tile, of layout: ZoomLayout, to output: inout EncodedTiles
    ) throws(BuildError) {
        gather(tile, of: layout)
        var entry = entry(
            of: TileID(z: layout.grid.zoom, x: tile.x, y: tile.y), Int32(layout.grid.extent))
        if let sums {
            let sum = sums.sum(of: placed, nodes)
            entry.sum = sum
            if let bytes = former?.bytes(of: entry.tile, showing: sum) {
                output.bytes += bytes
                return output.append(entry)
            }
        }
        draw(in: layout.grid)
        let start = output.bytes.count
        builder.compress(with: &compressor, appendingTo: &output.bytes)
        if let excess = builder.excess(stored: output.bytes.count - start) {
            throw .tooLarge(
                "tile \(entry.tile)", bytes: excess.bytes, most: excess.most, attribute: heaviest)
        }
        builder.removeAll()
        output.append(entry)
    }

    /// The attribute with the most bytes in the gathered nodes.
    private var heaviest: String? {
        var bytes = AttributeBytes(drawn.keyNames)
        for node in placed {
            switch drawn.node(node.number) {
            case .leaf(let layer, let leaf):
                let layer = drawn.layers[layer]
                layer.table.attributes.withRecord(of: Int(layer.leafRows[leaf])) {
                    bytes.include($0)
                }
            case .cluster(let layer, let cluster):
                drawn.layers[layer].tree.attributes.withRecord(of: cluster) { bytes.include($0) }
            case .heat, .leg, .bin: continue
            }
        }
        return bytes.heaviest
    }

    /// The report's figures for the tile whose nodes are gathered.
    private func entry(of tile: TileID, _ extent: Int32) -> EncodedTiles.Entry {
        var entry = EncodedTiles.Entry(tile: tile, features: placed.count)
        for node in placed where node.isHere(extent) {
            switch drawn.node(node.number) {
            case .leaf: entry.figures.includePoint()
            case .cluster(let layer, let cluster):
                entry.figures.includeCluster(of: Int(drawn.layers[layer].leaves[cluster]))
            case .heat, .leg, .bin: continue
            }
        }
        return entry
    }

    /// Draws the gathered nodes.
    private mutating func draw(in grid: TileGrid) {
        let extent = Int32(grid.extent)
        var open: OpenLayer?
        if !legs.isEmpty { legs.removeAll(keepingCapacity: true) }
        for node in placed {
            switch drawn.node(node.number) {
            case .leaf(let layer, let leaf):
                begin(.init(layer: layer), after: &open, extent)
                writePoint(leaf, of: drawn.layers[layer], node)
            case .cluster(let layer, let cluster):
                begin(.init(layer: layer), after: &open, extent)
                writeCluster(cluster, of: drawn.layers[layer], tags[layer], node)
            case .heat(let layer, let member):
                begin(.init(layer: layer, companion: .heat), after: &open, extent)
                writeHeat(member, of: drawn.layers[layer], node)
            case .leg(let layer, let leaf):
                guard let leg = newLeg(of: leaf, layer, node, grid) else { continue }
                begin(.init(layer: layer, companion: .legs), after: &open, extent)
                write(leg, of: leaf, drawn.layers[layer])
            case .bin(let layer, let step):
                begin(.init(layer: layer, companion: .bins), after: &open, extent)
                writeBin(step, of: drawn.layers[layer], grid)
            }
        }
        if open != nil { builder.endLayer() }
    }

    /// The leg of a point, unless the tile has it already.
    private mutating func newLeg(
        of leaf: Int, _ layer: Int, _ node: PlacedNode, _ grid: TileGrid
    ) -> Leg? {
        // A leg may have several nodes in a tile. Only the tile of zoom 0 can see two different
        // ones, where the leg crosses the antimeridian.
        let key = LeafOfLayer(layer: layer, leaf: leaf)
        let drawnLegs = legs[key] ?? []
        guard drawnLegs.isEmpty || grid.zoom == 0,
            let leg = leg(of: leaf, drawn.layers[layer], node, grid), !drawnLegs.contains(leg)
        else { return nil }
        legs[key] = drawnLegs + [leg]
        return leg
    }

    /// Sorts the tile's nodes group by group and along the curve, as most already are.
    private mutating func gather(_ tile: ZoomLayout.Tile, of layout: ZoomLayout) {
        placed.removeAll(keepingCapacity: true)
        let grid = layout.grid
        for index in Int(tile.start)..<Int(tile.start + tile.count) {
            let row = Int(layout.rows[index])
            let number = nodes.numbers[row]
            placed.append(
                PlacedNode(
                    order: UInt64(drawn.group(of: number)) << 32 | UInt64(row), number: number,
                    x: grid.local(unitX: grid.unitX(nodes.xs[row]), tile: tile.x),
                    y: grid.local(unitY: grid.unitY(nodes.ys[row]), tile: tile.y)))
        }
        if placed.count > 1 { placed.sort { $0.order < $1.order } }
    }

    /// A layer of the tile that is being written.
    private struct OpenLayer: Equatable {
        var layer: Int
        var companion: CompanionLayer?
    }

    private mutating func begin(
        _ layer: OpenLayer, after open: inout OpenLayer?, _ extent: Int32
    ) {
        guard open != layer else { return }
        if open != nil { builder.endLayer() }
        let name = drawn.layers[layer.layer].name
        builder.beginLayer(
            layer.companion?.name(beside: name) ?? name, extent: UInt32(extent))
        open = layer
    }

    private mutating func writePoint(_ leaf: Int, of layer: DrawnLayer, _ node: PlacedNode) {
        let row = Int(layer.leafRows[leaf])
        guard layer.spread?.position(ofLeaf: leaf) != nil else {
            builder.addPoint(row, of: layer.table, x: node.x, y: node.y)
            return
        }
        scalar.set(shortText: layer.position(ofLeaf: leaf).lonLat.jsonText)
        builder.addPoint(
            row, of: layer.table, x: node.x, y: node.y, tagged: placeKey, scalar.span)
    }

    private mutating func writeCluster(
        _ cluster: Int, of layer: DrawnLayer, _ tags: [ClusterTag], _ node: PlacedNode
    ) {
        builder.beginPoint(id: layer.featureID(of: cluster), x: node.x, y: node.y)
        for (attribute, key) in tags where layer.set(&scalar, to: attribute, of: cluster) {
            builder.addTag(key, packed: scalar.span)
        }
        layer.tree.attributes.withRecord(of: cluster) { builder.addTags(of: $0) }
        builder.endFeature()
    }
}
