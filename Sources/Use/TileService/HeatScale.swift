import ArchiveContract
import CLibrary
import ClusterQueries
import Geometry
import JSON

/// How the heat map of a layer is drawn: from which layers of the tiles, with which radius for each
/// point, and how strong, so that the densest place of each zoom is the hottest.
struct HeatScale: Sendable {
    /// The layer of finer counts and its deepest zoom; nil if markers must be used.
    let finer: (layer: String, maxZoom: Int)?
    /// The radius in pixels.
    let radius: Double
    /// The density of the densest place by zoom, ascending, in MapLibre's measure.
    private(set) var peaks: [(zoom: Int, density: Double)] = []

    /// - Parameter spacing: the distance between markers.
    init(finer: (layer: String, maxZoom: Int)?, spacing: Double) {
        self.finer = finer
        // Wider than the distance between markers, so that they do not show as dots.
        radius = max((finer == nil ? 1.5 : 1.1) * spacing, 20)
    }

    /// The layer from which the heat of a zoom is drawn.
    func source(of layer: String, at zoom: Int) -> String {
        finer.flatMap { zoom <= $0.maxZoom ? $0.layer : nil } ?? layer
    }

    /// Includes the points and clusters of a zoom, with positions in pixels.
    mutating func include(_ weights: [TileFeatures.Weight], at zoom: Int) {
        guard !weights.isEmpty else { return }
        let densest = weights.sorted { $0.count > $1.count }.prefix(64)
        let peak = densest.map { density(atX: $0.x, y: $0.y, of: weights) }.max() ?? 0
        if peak > 0 { peaks.append((zoom, peak)) }
    }

    /// The sum that MapLibre computes at a place: heights of normal curves, each three deviations wide.
    private func density(atX x: Double, y: Double, of weights: [TileFeatures.Weight]) -> Double {
        weights.reduce(0) { sum, weight in
            let (dx, dy) = ((weight.x - x) / radius, (weight.y - y) / radius)
            let square = dx * dx + dy * dy
            return square > 1 ? sum : sum + weight.count * Self.height * exp(-4.5 * square)
        }
    }

    private static let height = 0.3989422804014327

    /// The strength by zoom. Between two zooms, the same points move apart, and their sum in a
    /// pixel decreases as the area grows.
    var intensity: JSONValue {
        func strength(_ density: Double) -> JSONValue {
            // Four digits.
            let strength = 1 / density
            let unit = pow(10, 3 - log10(strength).rounded(.down))
            return .number((strength * unit).rounded() / unit)
        }
        guard peaks.count > 1 else { return strength(peaks.first?.density ?? 1) }
        return .array(
            ["interpolate", ["exponential", 4], ["zoom"]]
                + peaks.flatMap { [.integer(Int64($0.zoom)), strength($0.density)] })
    }
}
