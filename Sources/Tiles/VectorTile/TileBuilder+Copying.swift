extension TileBuilder {
    /// Adds a whole tile.
    public mutating func append(_ tile: Tile) {
        for layer in tile.layers {
            beginLayer(layer.name, extent: layer.extent, version: layer.version)
            for feature in layer.features { append(feature) }
            endLayer()
        }
    }

    /// Adds a feature to the open layer.
    public mutating func append(_ feature: Tile.Feature) {
        var packed = ByteBuffer()
        for integer in feature.geometry { packed.append(varint: UInt64(integer)) }
        beginFeature(id: feature.id, type: feature.type, packedGeometry: packed.span)
        for tag in feature.tags { addTag(key(tag.key), tag.value) }
        endFeature()
    }

    /// Adds a layer of another tile: its features in their order, with their ids, geometries and typed values
    /// unchanged. Keys and values that no feature uses are left out.
    /// - Returns: the faults of the features that were left out.
    public mutating func append(_ layer: borrowing LayerView) throws(TileError) -> [TileError] {
        // All is read before the first byte is written, so a thrown error leaves no half layer.
        try layer.checkTags()
        beginLayer(utf8: layer.nameBytes, extent: layer.extent, version: layer.version)
        var keys: [TileKey] = []
        for index in 0..<layer.keyCount { keys.append(key(utf8: layer.keyBytes(at: index))) }
        var features = layer.features()
        while let feature = try features.next() {
            beginFeature(
                id: feature.id, type: feature.type, packedGeometry: feature.packedGeometry)
            var tags = feature.tags()
            while let tag = try tags.next() {
                addTag(keys[tag.key], packed: layer.value(at: tag.value).bytes)
            }
            endFeature()
        }
        endLayer()
        return features.skipped
    }
}

extension LayerView {
    /// Reads everything: throws if a tag of a readable feature is not within the layer's lists.
    func checkTags() throws(TileError) {
        var features = features()
        while let feature = try features.next() {
            var tags = feature.tags()
            while try tags.next() != nil {}
        }
    }
}
