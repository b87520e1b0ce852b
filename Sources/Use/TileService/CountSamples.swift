import ClusterQueries
import Geometry
import TileArchive

/// Counts of clusters from an archive's tiles: from all tiles of shallow zooms, and from the
/// neighbourhood of the densest part of the map at deep zooms.
struct CountSamples {
    private var countsByZoom: [String: [Int: [Int]]] = [:]
    private var tilesByZoom: [Int: [(tile: TileID, features: TileFeatures)]] = [:]

    init(of archive: ServedArchive) throws(ServiceError) {
        guard archive.archive.metadata.format == "pbf" else { return }
        let center = archive.archive.metadata.center ?? archive.archive.metadata.bounds?.center
        let position = WorldPoint(center ?? LonLat(longitude: 0, latitude: 0)).wrapped
        var bytesLeft = Self.mostBytes
        let end = ContinuousClock.now + .seconds(Self.mostSeconds)
        for zoom in archive.zooms {
            for tile in Self.tiles(around: position, zoom: UInt8(zoom)) {
                // Look-ups may be slow, for instance in a slow SQLite view.
                guard ContinuousClock.now < end else { return }
                guard let bytes = try archive.sample(of: tile, limit: bytesLeft) else { continue }
                bytesLeft -= min(bytes.count, bytesLeft)
                let features = TileFeatures(bytes)
                tilesByZoom[zoom, default: []].append((tile, features))
                do {
                    for (layer, counts) in try features.counts() {
                        countsByZoom[layer, default: [:]][zoom, default: []] += counts
                    }
                } catch {
                    // One bad tile must not prevent a style.
                    continue
                }
            }
        }
    }

    /// The time for sampling: a style is needed at once, even if the archive is remote or slow.
    private static let mostSeconds = 2
    /// The most bytes of samples, which are all in memory together; larger tiles are skipped.
    private static let mostBytes = 24 << 20

    func steps(of layer: String) -> CountSteps? {
        CountSteps(countsByZoom: countsByZoom[layer] ?? [:])
    }

    /// The scale with the densities of the densest places of a layer.
    func measured(_ scale: HeatScale, of layer: String) -> HeatScale {
        var scale = scale
        for (zoom, tiles) in tilesByZoom.sorted(by: { $0.key < $1.key }) {
            let name = scale.source(of: layer, at: zoom)
            var weights: [TileFeatures.Weight] = []
            for (tile, features) in tiles {
                for weight in (try? features.weights(inLayer: name)) ?? []
                where (0..<1).contains(weight.x) && (0..<1).contains(weight.y) {
                    weights.append(
                        .init(
                            x: (Double(tile.x) + weight.x) * 512,
                            y: (Double(tile.y) + weight.y) * 512, count: weight.count))
                }
            }
            scale.include(weights, at: zoom)
        }
        return scale
    }

    /// All tiles down to zoom 2, nine tiles at deeper zooms.
    private static func tiles(around position: WorldPoint, zoom: UInt8) -> [TileID] {
        let side = 1 << Int(zoom)
        let middle = TileID(holding: position, zoom: zoom)
        let columns = zoom < 3 ? 0...(side - 1) : Int(middle.x) - 1...Int(middle.x) + 1
        let rows = zoom < 3 ? 0...(side - 1) : Int(middle.y) - 1...Int(middle.y) + 1
        return columns.flatMap { x in
            rows.compactMap { TileID(zoom: Int(zoom), column: (x + side) % side, row: $0) }
        }
    }
}
