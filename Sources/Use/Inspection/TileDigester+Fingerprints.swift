import VectorTile

extension TileDigester {
    /// A hash of each feature without its geometry, in the order of the tile.
    mutating func fingerprints(of bytes: Span<UInt8>) throws(TileError) -> [UInt64] {
        var hashes: [UInt64] = []
        var reader = try TileReader(bytes)
        while let layer = try reader.nextLayer() {
            let head = Fingerprint.mix(
                Fingerprint.hash(of: layer.nameBytes),
                UInt64(layer.extent) << 8 | UInt64(layer.version))
            var features = layer.features()
            while let feature = try features.next() {
                var sum = Fingerprint.mix(head, feature.id ?? .max)
                sum = Fingerprint.mix(sum, UInt64(feature.type.rawValue))
                sum = Fingerprint.mix(sum, Fingerprint.hash(of: feature.packedGeometry))
                var tags = feature.tags()
                while let tag = try tags.next() {
                    // A sum, because the order of attributes has no meaning.
                    sum &+= Fingerprint.mix(
                        Fingerprint.hash(of: layer.keyBytes(at: tag.key)),
                        Fingerprint.hash(of: layer.value(at: tag.value).bytes))
                }
                hashes.append(sum)
            }
        }
        return hashes
    }
}
