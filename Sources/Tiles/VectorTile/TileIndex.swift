/// Where the layers of a tile lie and what is in them, looked for once where several readers go over the tile.
package struct TileIndex: Sendable {
    private(set) var layers: [(range: Range<Int>, index: LayerIndex)] = []
    /// What keeps readers from going on behind these layers.
    private(set) var fault: TileError?

    /// - Complexity: O(fields of the layers).
    package init(of bytes: Span<UInt8>) {
        do {
            var reader = try TileReader(bytes)
            while let layer = try reader.nextLayer() { layers.append((layer.range, layer.index)) }
        } catch {
            fault = error
        }
    }
}
