import ArchiveContract
import Compression
import Geometry
import Points
import VectorTile

/// Turns batches of laid-out tiles into the bytes that an archive keeps. One a worker.
struct TileEncoder: ~Copyable {
    private let drawn: DrawnLayers
    private let nodes: TileNodes
    private var builder: TileBuilder
    private var compressor: GzipCompressor
    private let layers: [LayerTags]
    private var scalar = PackedScalar()
    private var placed: [PlacedNode] = []

    /// How a layer's clusters are tagged.
    private struct LayerTags {
        let values: ClusterValues
        let attributes: [(name: ClusterAttribute, key: TileKey)]
    }

    /// A node as a tile sees it.
    private struct PlacedNode {
        var firstLeaf: UInt32
        var number: UInt32
        var x: Int32
        var y: Int32
    }

    init(drawing drawn: DrawnLayers, nodes: TileNodes, keys names: [String], compression: Int) {
        self.drawn = drawn
        self.nodes = nodes
        // The table's key numbers are the builder's: a record's tags need no look-up of names.
        builder = TileBuilder(keys: names)
        var keys: [ClusterAttribute: TileKey] = [:]
        for attribute in ClusterAttribute.allCases {
            keys[attribute] = builder.key(attribute.name)
        }
        layers = drawn.layers.map { layer in
            LayerTags(
                values: ClusterValues(of: layer, ids: drawn.ids),
                attributes: layer.attributes.compactMap { name in
                    keys[name].map { (name, $0) }
                })
        }
        compressor = GzipCompressor(level: compression)
    }

    mutating func encode(_ batch: TileBatches.Batch) -> EncodedTiles {
        var output = EncodedTiles(grid: batch.layout.grid)
        for index in batch.tiles {
            encode(batch.layout.tiles[index], of: batch.layout, to: &output)
        }
        return output
    }

    private mutating func encode(
        _ tile: ZoomLayout.Tile, of layout: ZoomLayout, to output: inout EncodedTiles
    ) {
        gather(tile, of: layout)
        var entry = EncodedTiles.Entry(
            tile: TileID(z: layout.grid.zoom, x: tile.x, y: tile.y), features: placed.count)
        let extent = Int32(layout.grid.extent)
        var open: Int?
        for node in placed {
            let isHere = 0..<extent ~= node.x && 0..<extent ~= node.y
            switch drawn.node(node.number) {
            case .leaf(let layer, let leaf):
                begin(layer, after: &open, extent)
                writePoint(leaf, of: drawn.layers[layer], node)
                if isHere {
                    entry.ownPoints += 1
                    entry.pointCount += 1
                }
            case .cluster(let layer, let cluster):
                begin(layer, after: &open, extent)
                writeCluster(cluster, of: drawn.layers[layer], layers[layer], node)
                if isHere {
                    entry.clusters += 1
                    let count = Int(drawn.layers[layer].leaves[cluster])
                    entry.pointCount += count
                    entry.largestCluster = max(entry.largestCluster, count)
                }
            }
        }
        if open != nil { builder.endLayer() }
        entry.plainBytes = builder.bytes.count
        builder.compress(with: &compressor, appendingTo: &output.bytes)
        builder.removeAll()
        output.append(entry)
    }

    /// Puts the tile's nodes into leaf order. Numbers of leaves are unique over all layers and a
    /// layer's follow each other, so this also brings layer by layer.
    private mutating func gather(_ tile: ZoomLayout.Tile, of layout: ZoomLayout) {
        placed.removeAll(keepingCapacity: true)
        let grid = layout.grid
        for index in Int(tile.start)..<Int(tile.start + tile.count) {
            let row = Int(layout.rows[index])
            let number = nodes.numbers[row]
            placed.append(
                PlacedNode(
                    firstLeaf: drawn.firstLeaf(of: number), number: number,
                    x: grid.local(unitX: grid.unitX(nodes.xs[row]), tile: tile.x),
                    y: grid.local(unitY: grid.unitY(nodes.ys[row]), tile: tile.y)))
        }
        if placed.count > 1 { placed.sort { $0.firstLeaf < $1.firstLeaf } }
    }

    private mutating func begin(_ layer: Int, after open: inout Int?, _ extent: Int32) {
        guard open != layer else { return }
        if open != nil { builder.endLayer() }
        builder.beginLayer(drawn.layers[layer].name, extent: UInt32(extent))
        open = layer
    }

    private mutating func writePoint(_ leaf: Int, of layer: DrawnLayer, _ node: PlacedNode) {
        builder.addPoint(
            Int(layer.leafRows[leaf]), of: layer.table, x: node.x, y: node.y)
    }

    private mutating func writeCluster(
        _ cluster: Int, of layer: DrawnLayer, _ tags: LayerTags, _ node: PlacedNode
    ) {
        builder.beginPoint(id: tags.values.id(of: cluster), x: node.x, y: node.y)
        for (attribute, key) in tags.attributes
        where tags.values.set(&scalar, to: attribute, of: cluster) {
            builder.addTag(key, packed: scalar.span)
        }
        layer.tree.attributes.withRecord(of: cluster) { builder.addTags(of: $0) }
        builder.endFeature()
    }
}
