import ArchiveContract
import Geometry
import JSON
import TileArchive

/// A MapLibre style for an archive: clusters sized by count, their counts, single points, a heat map
/// and the bare features, each layer with its role in `metadata` so that a page can switch it.
///
/// What can be counted is taken from the data: the steps are quantiles of the counts, zoom by zoom.
public struct StyleSheet: Sendable {
    /// A vector layer, as the style draws it.
    struct Layer: Sendable {
        let name: String
        /// None where the layer has no clusters.
        let steps: CountSteps?
        let hasShortCounts: Bool
        let category: CategoryColors?
        /// How far apart clusters are, in pixels.
        let spacing: Double
    }

    private static let shortCount = ClusterAttribute.pointCountAbbreviated.name

    private let name: String
    private let center: JSONValue
    private let zoom: JSONValue
    private let layers: [Layer]

    init(of archive: ServedArchive) throws(ServiceError) {
        let metadata = archive.archive.metadata
        let summary = TileJSON(of: archive).summary
        name = metadata.name
        let center = summary["center"]?.asArray ?? [0, 0, 0]
        self.center = .array(Array(center.prefix(2)))
        zoom = center.last ?? 0
        let described = try? archive.archive.description?.get()
        let samples = try CountSamples(of: archive)
        layers = metadata.vectorLayers.map { layer in
            let steps = samples.steps(of: layer.id, zooms: archive.zooms)
            return Layer(
                name: layer.id, steps: steps,
                hasShortCounts: layer.fields.contains { $0.name == Self.shortCount },
                category: CategoryColors(of: layer, in: metadata),
                spacing: Self.spacing(of: layer.id, in: described))
        }
    }

    /// The style of the archive at a path.
    public init(ofArchiveAt path: String) throws {
        guard let archive = try ServedArchive(id: "archive", path: path) else {
            throw ServiceError.unreadable("\(path) is just being written")
        }
        try self.init(of: archive)
    }

    /// The style as a document.
    /// - Parameters:
    ///   - source: the address of the archive's TileJSON.
    ///   - glyphs: an address with `{fontstack}` and `{range}`; without it the counts are icons
    ///     named `covey-count:…`, which `covey.js` draws.
    public func document(source: String, glyphs: String? = nil) -> JSONValue {
        var object = JSONObject()
        object["version"] = 8
        object["name"] = .string(name)
        object["center"] = center
        object["zoom"] = zoom
        object["glyphs"] = glyphs.map(JSONValue.string)
        object["sources"] = ["points": ["type": "vector", "url": .string(source)]]
        let background: JSONValue = [
            "id": "background", "type": "background",
            "paint": ["background-color": "#eef1f4"],
        ]
        object["layers"] = .array(
            [background] + layers.flatMap { $0.styleLayers(hasGlyphs: glyphs != nil) })
        return .object(object)
    }

    /// The radius within which points were clustered, or what is usual.
    private static func spacing(
        of layer: String, in described: ClusterDescription?
    ) -> Double {
        let own = described?.layers.first { $0.name == layer }
        let stops = own?.clustering?.radius.stops ?? []
        return stops.count == 1 ? stops[0].pixels : 50
    }
}
