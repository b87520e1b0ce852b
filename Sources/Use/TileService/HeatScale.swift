import ArchiveContract
import CLibrary
import ClusterQueries
import Geometry
import JSON

/// How a heat map is drawn of a layer: from which layers of the tiles, how wide each point's heat
/// reaches, and how strong it is so that the densest place of each zoom is the hottest.
struct HeatScale: Sendable {
    /// The layer of finer counts and the deepest zoom that has it; nil where markers must do.
    let finer: (layer: String, maxZoom: Int)?
    /// In pixels.
    let radius: Double
    /// By zoom, ascending: the density of the densest place, in MapLibre's measure.
    private(set) var peaks: [(zoom: Int, density: Double)] = []

    /// - Parameter spacing: how far apart markers are.
    init(finer: (layer: String, maxZoom: Int)?, spacing: Double) {
        self.finer = finer
        // Wider than the distance of what is drawn, or there would be dots.
        radius = max((finer == nil ? 1.5 : 1.1) * spacing, 20)
    }

    /// The layer that a zoom's heat is drawn from.
    func source(of layer: String, at zoom: Int) -> String {
        finer.flatMap { zoom <= $0.maxZoom ? $0.layer : nil } ?? layer
    }

    /// Takes note of a zoom's points and clusters, in pixels.
    mutating func include(_ weights: [TileFeatures.Weight], at zoom: Int) {
        guard !weights.isEmpty else { return }
        let densest = weights.sorted { $0.count > $1.count }.prefix(64)
        let peak = densest.map { density(atX: $0.x, y: $0.y, of: weights) }.max() ?? 0
        if peak > 0 { peaks.append((zoom, peak)) }
    }

    /// What MapLibre adds up at a place: the height of a normal curve three deviations wide.
    private func density(atX x: Double, y: Double, of weights: [TileFeatures.Weight]) -> Double {
        weights.reduce(0) { sum, weight in
            let (dx, dy) = ((weight.x - x) / radius, (weight.y - y) / radius)
            let square = dx * dx + dy * dy
            return square > 1 ? sum : sum + weight.count * Self.height * exp(-4.5 * square)
        }
    }

    private static let height = 0.3989422804014327

    /// The strength by zoom. Between two zooms the same points lie further and further apart, and what
    /// they come to in a pixel falls as the area grows.
    var intensity: JSONValue {
        func strength(_ density: Double) -> JSONValue {
            // Four figures.
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
