import Basics

extension TileBuilder {
    /// Begins a layer; its features follow. The version is 2, or 1 if an older tile is written again.
    public mutating func beginLayer(_ name: String, extent: UInt32 = 4096, version: UInt32 = 2) {
        var name = name
        name.withUTF8 {
            unsafe beginLayer(utf8: Span(_unsafeElements: $0), extent: extent, version: version)
        }
    }

    /// Begins a layer whose name is given as bytes, as in another tile.
    public mutating func beginLayer(
        utf8 name: Span<UInt8>, extent: UInt32 = 4096, version: UInt32 = 2
    ) {
        precondition(head.count == 0, "the layer before has not been ended")
        precondition(version == 1 || version == 2, "there are versions 1 and 2")
        self.extent = extent
        keys.removeAll()
        values.removeAll()
        features.removeAll()
        // MVT 4.1: the version comes first, so that a decoder knows it.
        head.append(varint: Wire.layerVersion)
        head.append(varint: UInt64(version))
        head.append(field: Wire.layerName, name)
    }

    /// Ends the layer and adds it to the tile.
    public mutating func endLayer() {
        precondition(head.count > 0 && !feature.isOpen, "there is no layer to end, or a feature")
        let tail = 1 + Varint.size(of: Int(extent))
        let length =
            head.count + features.count + keys.fields.count + values.fields.count + tail
        output.append(varint: Wire.tileLayer)
        output.append(varint: UInt64(length))
        output.append(head)
        output.append(features)
        output.append(keys.fields)
        output.append(values.fields)
        output.append(varint: Wire.layerExtent)
        output.append(varint: UInt64(extent))
        head.removeAll()
    }
}
