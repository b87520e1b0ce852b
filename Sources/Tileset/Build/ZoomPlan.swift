import Clustering
import Geometry

/// Which zooms a build has, and down to which points are clustered.
struct ZoomPlan: Sendable {
    let tiles: TileOptions
    let maxZoom: UInt8
    /// Why the deepest zoom is what it is, where the data decided.
    let reason: String?

    init(for inputs: [LayerInput], _ tiles: TileOptions) throws {
        self.tiles = tiles
        maxZoom = tiles.maxZoom ?? max(tiles.minZoom, 14)
        reason = nil
    }

    var zooms: ClosedRange<UInt8> { tiles.minZoom...maxZoom }

    func grid(at zoom: UInt8) -> TileGrid {
        TileGrid(zoom: zoom, extentBits: tiles.extentBits, bufferPixels: tiles.buffer)
    }

    /// The deepest zoom at which a layer has clusters.
    func clusterMaxZoom(of layer: Recipe.Layer) -> Int {
        guard let clusters = layer.clusters else { return Int(tiles.minZoom) - 1 }
        return min(clusters.maxZoom ?? Int(maxZoom) - 1, Int(maxZoom))
    }

    /// What the engine is told for a layer.
    func clusterOptions(for layer: Recipe.Layer) throws -> ClusterOptions {
        var options = layer.clusters?.options ?? ClusterOptions()
        options.minZoom = Int(tiles.minZoom)
        options.maxZoom = max(clusterMaxZoom(of: layer), options.minZoom - 1)
        options.weighted = layer.clusters?.weight != nil
        options.aggregates = try layer.clusters?.parsedAggregates() ?? []
        options.clusterProperties = try layer.clusters?.parsedClusterProperties() ?? []
        return options
    }
}
