import ArchiveContract
import Recipes
import Clustering
import Geometry
import Points

/// The zooms of a build, and the deepest zoom at which points are clustered.
struct ZoomPlan: Sendable {
    let tiles: TileOptions
    let maxZoom: UInt8
    /// How precise the deepest zoom is, and why it was chosen, where the data decided.
    let reason: String
    /// The attributes by whose values points are counted, for each layer by name.
    var facets: [String: [FacetLayout]] = [:]

    init(for inputs: [LayerInput], _ tiles: TileOptions, threads: Int) {
        let tables = inputs.map(\.table)
        self.init(
            tiles, latitude: Occupancy.latitudeNearestToEquator(of: tables),
            featureBytes: Self.featureBytes(of: tables)
        ) { Occupancy(of: tables, threads: threads) }
    }

    /// - Parameter occupancy: is called if the data decide.
    init(
        _ tiles: TileOptions, latitude: Double, featureBytes: Double,
        occupancy: () throws -> Occupancy
    ) rethrows {
        self.tiles = tiles
        if let maxZoom = tiles.maxZoom {
            self.maxZoom = maxZoom
            reason = ZoomChoice.words(for: maxZoom, tiles, latitude: latitude)
        } else {
            let choice = ZoomChoice(try occupancy(), tiles, featureBytes: featureBytes)
            maxZoom = choice.zoom
            reason = choice.reason
        }
    }

    /// Repeats a choice that was made before.
    init(_ tiles: TileOptions, maxZoom: UInt8, reason: String) {
        self.tiles = tiles
        self.maxZoom = maxZoom
        self.reason = reason
    }

    var zooms: ClosedRange<UInt8> { tiles.minZoom...maxZoom }

    /// The grid of a zoom.
    func grid(at zoom: UInt8) -> TileGrid {
        let bits = tiles.variableDepth ? coveringBits(at: zoom) : extentBits(at: zoom)
        return TileGrid(zoom: zoom, extentBits: bits, bufferPixels: tiles.buffer)
    }

    private func extentBits(at zoom: UInt8) -> UInt8 {
        zoom == maxZoom ? tiles.deepestExtentBits(at: zoom) : tiles.extentBits
    }

    /// The bits that a tile needs to be as exact as the tiles below that it may replace.
    private func coveringBits(at zoom: UInt8) -> UInt8 {
        let last = min(zoom + ClusterDescription.coveredZooms, maxZoom)
        return (zoom...last).map { extentBits(at: $0) + ($0 - zoom) }.max() ?? tiles.extentBits
    }

    /// The deepest zoom at which a layer has clusters.
    func clusterMaxZoom(of layer: Recipe.Layer) -> Int {
        guard let clusters = layer.clusters, clusters.areFormed else {
            return Int(tiles.minZoom) - 1
        }
        return max(min(clusters.maxZoom ?? Int(maxZoom) - 1, Int(maxZoom)), Int(tiles.minZoom) - 1)
    }

    /// What is drawn for a layer besides its points and clusters. Past its cluster zooms, no counts
    /// are finer than the points themselves.
    func extras(of layer: Recipe.Layer) -> LayerExtras {
        let deepest = clusterMaxZoom(of: layer)
        var extras = LayerExtras()
        extras.maxZoom = Int(maxZoom)
        if tiles.heat, layer.clusters != nil, deepest >= Int(tiles.minZoom) {
            extras.heatMaxZoom = deepest
        }
        extras.spread = spread
        extras.bins = bins(of: layer)
        return extras
    }

    /// How points of one place are drawn apart; nil if they are not.
    var spread: SpreadPoints.Rule? {
        tiles.spread.map { pixels in
            SpreadPoints.Rule(
                pixels: pixels, zoom: maxZoom, buffer: tiles.buffer, grids: zooms.map(grid))
        }
    }

    /// The rule for a layer's bins. If only bins stand for points, they have the deepest zoom too.
    private func bins(of layer: Recipe.Layer) -> DrawnBins.Rule? {
        let deepest = min(Int(maxZoom) - (layer.isClustered ? 0 : 1), Bins.deepestZoom)
        return tiles.bins.map { bins in
            DrawnBins.Rule(
                bins: bins, firstZoom: Int(tiles.minZoom),
                lastZoom: min(tiles.binsMaxZoom ?? deepest, deepest),
                endsByData: tiles.binsMaxZoom == nil, grids: zooms.map(grid))
        }
    }

    /// The clustering options of a layer.
    func clusterOptions(for layer: Recipe.Layer) throws -> ClusterOptions {
        var options = layer.clusters?.options ?? ClusterOptions()
        if let clusters = layer.clusters { options.radius = clusters.usedRadius }
        options.minZoom = Int(tiles.minZoom)
        options.maxZoom = clusterMaxZoom(of: layer)
        options.weighted = layer.clusters?.weight != nil
        options.facets = facets[layer.name] ?? []
        options.aggregates = try layer.clusters?.parsedAggregates() ?? []
        options.clusterProperties = try layer.clusters?.parsedClusterProperties() ?? []
        return options
    }

    /// About how many bytes of a compressed tile a point takes: half of its attributes, which
    /// repeat keys and values, and a few for the position.
    static func featureBytes(of tables: [PointTable]) -> Double {
        featureBytes(
            points: tables.reduce(0) { $0 + $1.count },
            recordBytes: tables.reduce(0) { $0 + $1.attributes.recordBytes })
    }

    static func featureBytes(points: Int, recordBytes: Int) -> Double {
        8 + 0.5 * Double(recordBytes) / Double(max(points, 1))
    }
}
