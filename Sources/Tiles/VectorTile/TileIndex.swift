/// Where the layers of a tile lie and what is in them, looked for once where several readers go over the tile.
package struct TileIndex: Sendable {
    struct Layer {
        let range: Range<Int>
        let index: LayerIndex
    }
    private(set) var layers: [Layer] = []
    /// What keeps readers from going on behind these layers.
    private(set) var fault: TileError?

    /// - Complexity: O(fields of the layers).
    package init(of bytes: Span<UInt8>) {
        do {
            var reader = try TileReader(bytes)
            while let layer = try reader.nextLayer() {
                layers.append(Layer(range: layer.range, index: layer.index))
            }
        } catch {
            fault = error
        }
    }
}
