import VectorTile

/// Hashes that do not depend on an order, to compare sets that are too large to keep.
///
/// Two sets are taken as equal if the sums of their elements' hashes are equal: a difference is
/// missed with a chance of about 2^-64. The seed is fixed, so that each run gives the same verdict:
/// the bucket of a node in a ledger decides how much rounding is tolerated there.
package enum Fingerprint {
    private static let seed: UInt64 = 0x636F_7665_7920_3133

    /// Mixes two words into one. It is a bijection in each, so words that differ in one bit stay different.
    @inline(__always)
    static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        // The finalizer of SplitMix64.
        var hash = a &* 0x9E37_79B9_7F4A_7C15 &+ b
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }

    package static func hash(of bytes: Span<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(bytes.count)
        var offset = 0
        while offset < bytes.count {
            var word: UInt64 = 0
            let end = min(offset + 8, bytes.count)
            while offset < end {
                word = word << 8 | UInt64(bytes[offset])
                offset += 1
            }
            hash = mix(hash, word)
        }
        return hash
    }

    /// A hash of each feature, in the order of the tile.
    static func ofFeatures(in bytes: Span<UInt8>) throws(TileError) -> [UInt64] {
        var hashes: [UInt64] = []
        var reader = try TileReader(bytes)
        while let layer = try reader.nextLayer() {
            let head = mix(
                hash(of: layer.nameBytes),
                UInt64(layer.extent) << 8 | UInt64(layer.version))
            var features = layer.features()
            while let feature = try features.next() {
                var sum = mix(head, feature.id ?? .max)
                sum = mix(sum, UInt64(feature.type.rawValue))
                sum = mix(sum, hash(of: feature.packedGeometry))
                var tags = feature.tags()
                while let tag = try tags.next() {
                    // A sum, because the order of attributes has no meaning.
                    sum &+= mix(
                        hash(of: layer.keyBytes(at: tag.key)),
                        hash(of: layer.value(at: tag.value).bytes))
                }
                hashes.append(sum)
            }
        }
        return hashes
    }
}
