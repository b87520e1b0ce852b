import Basics
import CProtobufC
import CVectorTile

/// Reads tiles through protobuf-c as well, which shares nothing with `TileReader` and `TileBuilder`, and reports
/// where the two read different things.
///
/// A tile that `TileReader` itself refuses is no difference: its rules are those of MVT, and protobuf-c knows
/// none of them. A reader may be used for millions of tiles and keeps its memory.
public struct SecondReader: ~Copyable {
    private let arena: MessageArena
    private let memory: Int

    private static let manyBytes = 1 << 18

    /// - Parameter memory: the most bytes that one tile may take once it is unpacked.
    public init(memory: Int = 256 << 20) {
        arena = MessageArena(ceiling: memory)
        self.memory = memory
    }

    /// The bytes that the heads of all features take once they are unpacked.
    private static func headBytes(
        of bytes: Span<UInt8>, _ index: TileIndex?
    ) throws(TileError) -> Int {
        var reader = try TileReader(bytes, index)
        var count = 0
        while let layer = try reader.nextLayer() { count += layer.featureCount }
        return unsafe count * MemoryLayout<VectorTile__Tile__Feature>.stride
    }

    /// The first difference; nil if both read the same, or if the reader in place refuses the tile.
    /// - Complexity: O(bytes).
    public mutating func difference(in bytes: Span<UInt8>) -> ReadingDifference? {
        difference(in: bytes, nil)
    }

    /// Finds the first difference with an index of the tile's layers.
    package mutating func difference(
        in bytes: Span<UInt8>, _ index: TileIndex?
    ) -> ReadingDifference? {
        difference(between: bytes, unpacked: bytes, index)
    }

    /// Finds the first difference where the reader in place was given other bytes than protobuf-c.
    package mutating func difference(
        between bytes: Span<UInt8>, unpacked packed: Span<UInt8>, _ index: TileIndex? = nil
    ) -> ReadingDifference? {
        // The memory of a large tile is not kept for the next.
        defer { arena.reset() }
        do throws(TileError) {
            // A tile that cannot fit is not unpacked at all.
            if packed.count > Self.manyBytes, try Self.headBytes(of: packed, index) > memory {
                return ReadingDifference(.memory)
            }
            guard let tile = IncomingTile(packed, in: arena) else {
                // A tile that both refuse is no difference.
                var reader = try TileReader(bytes)
                while let layer = try reader.nextLayer() {
                    var features = layer.features()
                    while let feature = try features.next() {
                        var tags = feature.tags()
                        while try tags.next() != nil {}
                    }
                }
                return ReadingDifference(arena.isExhausted ? .memory : .refused)
            }
            var reader = try TileReader(bytes, index)
            var number = 0
            while let layer = try reader.nextLayer() {
                guard number < tile.layerCount else { return ReadingDifference(.layerCount) }
                if let difference = try tile.difference(from: layer) { return difference }
                number += 1
            }
            return number == tile.layerCount ? nil : ReadingDifference(.layerCount)
        } catch {
            return nil
        }
    }
}

// It is the only owner of its arena, and every use is exclusive.
extension SecondReader: @unchecked Sendable {}

extension IncomingTile {
    /// The difference between a layer's message and the same layer read in place.
    fileprivate func difference(
        from layer: borrowing LayerView
    ) throws(TileError) -> ReadingDifference? {
        guard let message = unsafe layers[layer.number]?.pointee else {
            return ReadingDifference(.layerCount)
        }
        func different(_ part: ReadingDifference.Part) -> ReadingDifference {
            ReadingDifference(part, layer: layer.number)
        }
        guard unsafe message.name.holds(layer.nameBytes), unsafe message.version == layer.version,
            unsafe (message.has_extent != 0 ? message.extent : 4096) == layer.extent
        else { return different(.layerHead) }
        guard unsafe Int(message.n_keys) == layer.keyCount else { return different(.keys) }
        for index in 0..<layer.keyCount
        where unsafe !message.keys[index].holds(layer.keyBytes(at: index)) {
            return different(.keys)
        }
        guard unsafe Int(message.n_values) == layer.valueCount else { return different(.values) }
        for index in 0..<layer.valueCount
        where unsafe !Self.isSame(message.values[index]!.pointee, layer.value(at: index)) {
            return different(.values)
        }
        guard unsafe Int(message.n_features) == layer.featureCount else {
            return different(.featureCount)
        }
        var features = layer.features()
        while let feature = try features.next() {
            let other = unsafe message.features[feature.number]!.pointee
            if let part = unsafe try Self.difference(of: other, from: feature) {
                return ReadingDifference(part, layer: layer.number, feature: feature.number)
            }
        }
        return nil
    }

    /// Texts are compared without a copy, other values unpacked.
    private static func isSame(
        _ message: VectorTile__Tile__Value, _ value: borrowing ValueView
    ) -> Bool {
        if let text = value.textBytes {
            return unsafe message.has_string_value != 0 && message.string_value.holds(text)
        }
        return unsafe self.value(message) == value.value
    }

    private static func difference(
        of message: VectorTile__Tile__Feature, from feature: borrowing FeatureView
    ) throws(TileError) -> ReadingDifference.Part? {
        let id = unsafe message.has_id != 0 ? message.id : nil
        let type = unsafe message.has_type != 0 ? message.type.rawValue : 0
        guard id == feature.id, type == UInt32(feature.type.rawValue) else { return .featureHead }
        let otherTags = unsafe integers(message.tags, message.n_tags)
        var tags = feature.tags()
        var index = 0
        while let tag = try tags.next() {
            guard index + 1 < otherTags.count, Int(otherTags[index]) == tag.key,
                Int(otherTags[index + 1]) == tag.value
            else { return .tags }
            index += 2
        }
        guard index == otherTags.count else { return .tags }
        let otherGeometry = unsafe integers(message.geometry, message.n_geometry)
        var geometry = GeometryReader(feature)
        index = 0
        while !geometry.isAtEnd {
            // An integer of more than 32 bits breaks a rule, and is reported as such.
            guard let integer = try? geometry.integer() else { return nil }
            guard index < otherGeometry.count, otherGeometry[index] == integer else {
                return .geometry
            }
            index += 1
        }
        return index == otherGeometry.count ? nil : .geometry
    }

    /// The integers of a packed field; must not be used once the tile is gone.
    @unsafe
    @_lifetime(immortal)
    private static func integers(
        _ start: UnsafeMutablePointer<UInt32>?, _ count: Int
    ) -> Span<UInt32> {
        let integers = unsafe UnsafeBufferPointer(start: start, count: count)
        return unsafe _overrideLifetime(Span(_unsafeElements: integers), copying: ())
    }
}

extension ProtobufCBinaryData {
    fileprivate func holds(_ bytes: Span<UInt8>) -> Bool {
        let own = unsafe UnsafeBufferPointer(start: data, count: len)
        return unsafe Span(_unsafeElements: own).holdsSame(as: bytes)
    }
}
