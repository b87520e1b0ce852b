/// The layers of a tile and their fields, found once for several readers of the tile.
package struct TileIndex: Sendable {
    struct Layer {
        let range: Range<Int>
        let index: LayerIndex
    }
    private(set) var layers: [Layer] = []
    /// The fault that keeps readers from reading past these layers.
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
