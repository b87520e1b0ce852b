/// The layers of a tile and their fields, found once for several readers of the tile.
package struct TileIndex: Sendable {
    struct Layer {
        let range: Range<Int>
        let index: LayerIndex
    }
    private(set) var layers: [Layer] = []
    /// The fault that keeps readers from reading past these layers.
    package private(set) var fault: TileError?

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

    package var layerCount: Int { layers.count }

    /// A layer of the tile, found without reading those before it.
    /// - Parameter bytes: the tile that this is the index of.
    @_lifetime(copy bytes)
    package func layer(at number: Int, of bytes: Span<UInt8>) -> LayerView {
        let layer = layers[number]
        return LayerView(bytes, in: layer.range, number: number, layer.index, limits: TileLimits())
    }

    /// The bytes of a layer, without its own tag and length.
    @_lifetime(copy bytes)
    package func layerBytes(at number: Int, of bytes: Span<UInt8>) -> Span<UInt8> {
        bytes.extracting(layers[number].range)
    }
}
