import VectorTile

// Tiles coded by protobuf-c, which shares nothing with our own reader and writer.

extension Tile {
    /// Unpacks a tile with protobuf-c.
    ///
    /// The bytes are first walked over in place: protobuf-c says only that a message is bad, not
    /// what or where, and it does not bound what it unpacks.
    /// - Parameter skipped: gets what was wrong with features that are left out.
    public init(
        _ bytes: Span<UInt8>, limits: TileLimits = TileLimits(), skipped: inout [TileError]
    ) throws(TileError) {
        var reader = try TileReader(bytes, limits: limits)
        var indices: [[Int]] = []
        while let layer = try reader.nextLayer() {
            var features = layer.features()
            var kept: [Int] = []
            while let feature = try features.next() {
                var tags = feature.tags()
                while try tags.next() != nil {}
                kept.append(feature.number)
            }
            skipped += features.skipped
            indices.append(kept)
        }
        guard let message = IncomingTile(bytes, memory: limits.memory) else {
            throw .tooLarge(.memory, limit: limits.memory, TileLocation(offset: 0))
        }
        self = message.tile(keeping: indices)
    }

    /// Unpacks a tile with protobuf-c, leaving out features that cannot be read.
    public init(_ bytes: Span<UInt8>, limits: TileLimits = TileLimits()) throws(TileError) {
        var skipped: [TileError] = []
        try self.init(bytes, limits: limits, skipped: &skipped)
    }

    /// The tile packed by protobuf-c: the same bytes that `TileBuilder` writes.
    public func packed() -> [UInt8] { OutgoingTile(self).packed() }
}
