extension TileBuilder {
    /// Begins a point feature.
    public mutating func beginPoint(id: UInt64?, x: Int32, y: Int32) {
        begin(id: id, .point(x: x, y: y))
    }

    /// Begins a feature of any geometry.
    public mutating func beginFeature(id: UInt64?, _ geometry: TileGeometry) {
        scratch.removeAll()
        geometry.append(to: &scratch)
        begin(id: id, .packed(geometry.type))
    }

    /// Begins a feature whose packed geometry is copied as it is (MVT 4.3).
    public mutating func beginFeature(
        id: UInt64?, type: GeometryType, packedGeometry: Span<UInt8>
    ) {
        scratch.removeAll()
        scratch.append(packedGeometry)
        begin(id: id, .packed(type))
    }

    /// Adds an attribute to the feature, whose value is a packed value message (MVT 4.1).
    ///
    /// The bytes are copied as they are: they must hold exactly one field. A feature must have each key only once
    /// (MVT 4.4); that is not checked.
    public mutating func addTag(_ key: TileKey, packed value: Span<UInt8>) {
        precondition(feature.isOpen, "a tag belongs to a feature")
        if feature.tagsStart == nil {
            features.append(varint: Wire.featureTags)
            feature.tagsStart = features.beginLength()
        }
        features.append(varint: UInt64(keys.index(of: key.number)))
        features.append(varint: UInt64(values.index(of: value)))
    }

    /// Adds an attribute to the feature.
    public mutating func addTag(_ key: TileKey, _ value: TileValue) {
        // Taken out while it is read, because the call below writes to the rest of the builder.
        var message = ByteBuffer()
        swap(&message, &valueScratch)
        message.removeAll()
        value.append(to: &message)
        addTag(key, packed: message.span)
        swap(&message, &valueScratch)
    }

    /// Ends the feature.
    public mutating func endFeature() {
        precondition(feature.isOpen, "there is no feature to end")
        if let start = feature.tagsStart { features.endLength(from: start) }
        features.append(varint: Wire.featureType)
        switch feature.shape {
        case .point(let x, let y):
            features.append(GeometryType.point.rawValue)
            appendPoint(x: x, y: y)
        case .packed(let type):
            features.append(type.rawValue)
            features.append(varint: Wire.featureGeometry)
            features.append(varint: UInt64(scratch.count))
            features.append(scratch)
        }
        features.endLength(from: feature.start)
        feature.isOpen = false
    }

    private mutating func begin(id: UInt64?, _ shape: OpenFeature.Shape) {
        precondition(head.count > 0 && !feature.isOpen, "a feature belongs to an open layer")
        features.append(varint: Wire.layerFeature)
        feature = OpenFeature(isOpen: true, shape: shape, start: features.beginLength())
        if let id {
            features.append(varint: Wire.featureID)
            features.append(varint: id)
        }
    }

    /// Appends the geometry of a point. MVT 4.3.4.2: one MoveTo; the cursor starts at 0,0, so the position is the
    /// parameter.
    private mutating func appendPoint(x: Int32, y: Int32) {
        features.append(varint: Wire.featureGeometry)
        let start = features.beginLength()
        features.append(varint: UInt64(GeometryCommand(.moveTo, count: 1).integer))
        features.append(varint: UInt64(Wire.zigzag(x)))
        features.append(varint: UInt64(Wire.zigzag(y)))
        features.endLength(from: start)
    }
}
