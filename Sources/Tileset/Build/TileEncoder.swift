import Recipes
import Compression
import Geometry
import JSON
import Points
import VectorTile

/// Turns batches of laid-out tiles into the bytes that an archive keeps. One a worker.
struct TileEncoder: ~Copyable {
    private let drawn: DrawnLayers
    private let nodes: TileNodes
    private var builder: TileBuilder
    private var compressor: GzipCompressor
    private let keys: ClusterKeys
    private var scalar = PackedScalar()
    private var placed: [PlacedNode] = []

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
        keys = ClusterKeys(in: &builder)
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
        place(tile, of: layout)
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
                writeCluster(cluster, of: drawn.layers[layer], node)
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
    private mutating func place(_ tile: ZoomLayout.Tile, of layout: ZoomLayout) {
        placed.removeAll(keepingCapacity: true)
        let grid = layout.grid
        for index in Int(tile.start)..<Int(tile.start + tile.count) {
            let row = Int(layout.rows[index])
            let number = nodes.numbers[row]
            placed.append(
                PlacedNode(
                    firstLeaf: drawn.firstLeaf(of: number), number: number,
                    x: grid.local(column: grid.column(nodes.xs[row]), tile: tile.x),
                    y: grid.local(row: grid.row(nodes.ys[row]), tile: tile.y)))
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
        let row = Int(layer.leafRows[leaf])
        let id = layer.table.ids.map { $0[row] } ?? PointTable.noID
        builder.beginPoint(id: id == PointTable.noID ? nil : id, x: node.x, y: node.y)
        layer.table.attributes.withRecord(of: row) { builder.addTags(of: $0) }
        builder.endFeature()
    }

    private mutating func writeCluster(
        _ cluster: Int, of layer: DrawnLayer, _ node: PlacedNode
    ) {
        let count = UInt64(layer.leaves[cluster])
        let zoom = UInt64(layer.zooms[cluster])
        let id = UInt64(node.firstLeaf) * 32 + zoom
        builder.beginPoint(id: id, x: node.x, y: node.y)
        scalar.set(bool: true)
        builder.addTag(keys.cluster, packed: scalar.span)
        scalar.set(unsigned: id)
        builder.addTag(keys.clusterID, packed: scalar.span)
        scalar.set(unsigned: count)
        builder.addTag(keys.pointCount, packed: scalar.span)
        scalar.set(shortText: AbbreviatedCount(count).text)
        builder.addTag(keys.pointCountAbbreviated, packed: scalar.span)
        scalar.set(unsigned: zoom + 1)
        builder.addTag(keys.expansionZoom, packed: scalar.span)
        writeFields(cluster, of: layer)
        layer.tree.attributes.withRecord(of: cluster) { builder.addTags(of: $0) }
        builder.endFeature()
    }

    private mutating func writeFields(_ cluster: Int, of layer: DrawnLayer) {
        guard !layer.fields.isEmpty else { return }
        if layer.fields.contains(.pointWeight) {
            scalar.set(number: layer.tree.weights?[cluster] ?? Double(layer.leaves[cluster]))
            builder.addTag(keys.pointWeight, packed: scalar.span)
        }
        if layer.fields.contains(.sqrtPointCount) {
            scalar.set(number: ClusterRoot.rounded(UInt64(layer.leaves[cluster])))
            builder.addTag(keys.sqrtPointCount, packed: scalar.span)
        }
        if layer.fields.contains(.bbox) {
            builder.addTag(keys.bbox, .string(layer.boxes[cluster].lonLatBox.jsonText))
        }
        if layer.fields.contains(.uniqueLocation),
            layer.tree.isOnePlace(cluster, in: layer.table)
        {
            scalar.set(bool: true)
            builder.addTag(keys.uniqueLocation, packed: scalar.span)
        }
    }
}

extension LonLatBox {
    /// The box as GeoJSON's `bbox`, to 1 cm.
    var jsonText: String {
        let edges = [west, south, east, north].map { ($0 * 1e7).rounded() / 1e7 }
        return JSONValue.array(edges.map(JSONValue.init(canonical:))).text()
    }
}

extension TileBuilder {
    /// Appends the gzip form of the tile.
    func compress(with compressor: inout GzipCompressor, appendingTo output: inout [UInt8]) {
        compressor.compress(bytes, appendingTo: &output)
    }

    /// Gives the feature all attributes of a record, whose values are tile values already.
    mutating func addTags(of record: borrowing AttributeRecord) {
        var cursor = record.makeCursor()
        while let attribute = cursor.next() {
            addTag(TileKey(number: attribute.key.number), packed: attribute.value.bytes)
        }
    }
}

/// The builder's keys of what every cluster carries.
private struct ClusterKeys {
    let cluster, clusterID, pointCount, pointCountAbbreviated, expansionZoom: TileKey
    let pointWeight, sqrtPointCount, bbox, uniqueLocation: TileKey

    init(in builder: inout TileBuilder) {
        cluster = builder.key("cluster")
        clusterID = builder.key("cluster_id")
        pointCount = builder.key("point_count")
        pointCountAbbreviated = builder.key("point_count_abbreviated")
        expansionZoom = builder.key("expansion_zoom")
        pointWeight = builder.key(ClusterField.pointWeight.rawValue)
        sqrtPointCount = builder.key(ClusterField.sqrtPointCount.rawValue)
        bbox = builder.key(ClusterField.bbox.rawValue)
        uniqueLocation = builder.key(ClusterField.uniqueLocation.rawValue)
    }
}
