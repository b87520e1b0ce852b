extension TileValidator {
    /// Checks a layer (MVT 4.1), then each of its features.
    mutating func check(_ layer: borrowing LayerView) throws(TileError) {
        if !layer.statesExtent { add(.missingExtent, layer) }
        if layer.extent == 0 { add(.zeroExtent, layer) }
        if layer.index.fields.hasRepeatedField { add(.repeatedField, layer) }
        if layer.featureCount == 0 { add(.noFeatures, layer) }
        if !layer.nameBytes.isUTF8 { add(.badText, layer) }
        checkKeys(of: layer)
        checkValues(of: layer)
        try checkFeatures(of: layer)
    }

    private mutating func checkKeys(of layer: borrowing LayerView) {
        seen.removeAll()
        for index in 0..<layer.keyCount {
            let key = layer.keyBytes(at: index)
            let offset = layer.index.fields.keys[index].range.lowerBound
            if !seen.insert(key) { add(.duplicateKey, layer, offset: offset) }
            if !key.isUTF8 { add(.badText, layer, offset: offset) }
        }
    }

    private mutating func checkValues(of layer: borrowing LayerView) {
        seen.removeAll()
        for index in 0..<layer.valueCount {
            let value = layer.value(at: index)
            let offset = layer.index.fields.values[index].range.lowerBound
            if !seen.insert(value.bytes) { add(.duplicateValue, layer, offset: offset) }
            if let text = value.textBytes, !text.isUTF8 { add(.badText, layer, offset: offset) }
        }
    }

    private mutating func checkFeatures(of layer: borrowing LayerView) throws(TileError) {
        // An array that grows by itself takes up to three times as much meanwhile, and a large one is not kept.
        ids.reserveCapacity(layer.featureCount)
        defer { ids.removeAll(keepingCapacity: ids.capacity < 1 << 15) }
        for index in 0..<layer.featureCount {
            do throws(TileError) {
                let feature = try layer.feature(at: index)
                if let id = feature.id { ids.append((id, index)) }
                try check(feature, version: layer.version)
            } catch {
                guard error.isRecoverable, case .broken(let rule, let location) = error else {
                    throw error
                }
                add(TileFinding(rule, at: location))
            }
        }
        checkIDs(of: layer)
    }

    /// Checks that ids are unique within their layer, as they should be (MVT 4.2).
    private mutating func checkIDs(of layer: borrowing LayerView) {
        // Most layers are written in the order of their ids.
        var increasing = true
        for index in ids.indices.dropFirst() where ids[index].id <= ids[index - 1].id {
            increasing = false
            break
        }
        guard !increasing else { return }
        ids.sort { ($0.id, $0.index) < ($1.id, $1.index) }
        for index in ids.indices.dropFirst() where ids[index].id == ids[index - 1].id {
            let feature = ids[index].index
            let offset = layer.index.fields.features[feature].range.lowerBound
            let found = TileLocation(offset: offset, layer: layer.number, feature: feature)
            add(TileFinding(.duplicateID, at: found))
        }
    }
}

extension ValueTable {
    /// Inserts bytes; returns false if they have been inserted before.
    fileprivate mutating func insert(_ bytes: Span<UInt8>) -> Bool {
        let before = count
        _ = index(of: bytes)
        return count > before
    }
}

extension Span<UInt8> {
    fileprivate var isUTF8: Bool {
        do {
            _ = try UTF8Span(validating: self)
            return true
        } catch {
            return false
        }
    }
}
