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
    private let spacing: RadiusByZoom
    /// The density of the densest place by zoom, ascending, in MapLibre's measure.
    private(set) var peaks: [(zoom: Int, density: Double)] = []

    /// - Parameter spacing: the distance between markers.
    init(finer: (layer: String, maxZoom: Int)?, spacing: RadiusByZoom) {
        self.finer = finer
        self.spacing = spacing
    }

    /// The radius in pixels: wider than the distance between markers, so that they do not show as dots.
    func radius(at zoom: Int) -> Double {
        max((finer == nil ? 1.5 : 1.1) * spacing.pixels(at: zoom), 20)
    }

    /// The radius by zoom. Between two zooms it changes little by little, as the strength does.
    var radius: JSONValue {
        func rounded(_ zoom: Int) -> JSONValue { .number(radius(at: zoom).rounded()) }
        let zooms = Set(spacing.stops.dropFirst().flatMap { [$0.zoom - 1, $0.zoom] }).sorted()
        guard !zooms.isEmpty else { return rounded(0) }
        return .array(
            ["interpolate", ["linear"], ["zoom"]]
                + zooms.flatMap { [.integer(Int64($0)), rounded($0)] })
    }

    /// The layer from which the heat of a zoom is drawn.
    func source(of layer: String, at zoom: Int) -> String {
        finer.flatMap { zoom <= $0.maxZoom ? $0.layer : nil } ?? layer
    }

    /// Includes the points and clusters of a zoom, with positions in pixels.
    /// - Returns: the densest places, apart from each other.
    @discardableResult
    mutating func include(
        _ weights: [TileFeatures.Weight], at zoom: Int
    ) -> [TileFeatures.Weight] {
        let radius = radius(at: zoom)
        let densities = Self.crowded(weights, within: radius).map { place in
            (place: place, density: Self.density(at: place, of: weights, radius))
        }.sorted { $0.density > $1.density }
        guard let peak = densities.first?.density, peak > 0 else { return [] }
        peaks.append((zoom, peak))
        var places: [TileFeatures.Weight] = []
        for (place, _) in densities where places.count < 6 {
            let isApart = places.allSatisfy { hypot($0.x - place.x, $0.y - place.y) > 2 * radius }
            if isApart { places.append(place) }
        }
        return places
    }

    /// Places of which one is the densest: the heaviest ones in the cells that are heaviest together with their
    /// neighbours. The curve of a point is about as wide as three cells.
    private static func crowded(
        _ weights: [TileFeatures.Weight], within radius: Double
    ) -> [TileFeatures.Weight] {
        func cell(_ weight: TileFeatures.Weight) -> SIMD2<Int> {
            SIMD2(
                Int((weight.x * 4 / radius).rounded(.down)),
                Int((weight.y * 4 / radius).rounded(.down)))
        }
        let cells = Dictionary(grouping: weights, by: cell)
        let sums = cells.mapValues { $0.reduce(0) { $0 + $1.count } }
        let crowds = cells.keys.map { cell in
            var sum = 0.0
            for x in -1...1 { for y in -1...1 { sum += sums[cell &+ SIMD2(x, y)] ?? 0 } }
            return (cell: cell, sum: sum)
        }.sorted { ($0.sum, $0.cell.x, $0.cell.y) > ($1.sum, $1.cell.x, $1.cell.y) }
        let heaviest = crowds.prefix(64).flatMap { crowd in
            (cells[crowd.cell] ?? []).sorted { $0.count > $1.count }.prefix(8)
        }
        return Array(heaviest.prefix(64))
    }

    /// The sum that MapLibre computes at a place: heights of normal curves, each three deviations wide.
    private static func density(
        at place: TileFeatures.Weight, of weights: [TileFeatures.Weight], _ radius: Double
    ) -> Double {
        weights.reduce(0) { sum, weight in
            let (dx, dy) = ((weight.x - place.x) / radius, (weight.y - place.y) / radius)
            let square = dx * dx + dy * dy
            return square > 1 ? sum : sum + weight.count * height * exp(-4.5 * square)
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
