import ArchiveContract
import Geometry
import JSON
import TileArchive

/// A MapLibre style for an archive: clusters sized by count, their counts, single points, a heat
/// map and the bare features. Each layer has its role in `metadata`, so that a page can switch it
/// (docs/style.md).
///
/// The steps are taken from the data: they are quantiles of the counts, zoom by zoom.
public struct StyleSheet: Sendable {
    /// A vector layer with the properties that the style needs.
    struct Layer: Sendable {
        /// The name of its source, which is the archive's id.
        let source: String
        let name: String
        /// Nil if the layer has no clusters.
        let steps: CountSteps?
        let hasShortCounts: Bool
        let colors: MarkerColors?
        let facets: [ClusterDescription.Facet]
        /// The layer's colours by class of count; nil if it is the only layer.
        let hue: [String]?
        /// The distance between clusters in pixels.
        let spacing: RadiusByZoom
        let heat: HeatScale
        let bins: BinLayer?
        /// The layer of the legs of spread points.
        let legs: String?
        /// The zooms of the tiles.
        let zooms: ClosedRange<Int>
    }

    /// A layer of bins.
    struct BinLayer: Sendable {
        let layer: String
        let maxZoom: Int
        let steps: CountSteps
    }

    /// How bins show the number of their points.
    public enum BinLook: String, CaseIterable, Sendable {
        case color, opacity, height
    }

    /// Deviations from the usual style.
    public struct Look: Sendable {
        /// The font of counts, if it is not the one of Covey.
        public var font: String?
        /// How bins are drawn instead of clusters, as deep as there are bins; nil hides them until
        /// they are switched on.
        public var bins: BinLook?
        /// The facet by whose largest value clusters are coloured.
        public var facet: String?
        /// How counts are abbreviated; nil takes the texts in the tiles.
        public var letters: CountLetters?

        public init(
            font: String? = nil, bins: BinLook? = nil, facet: String? = nil,
            letters: CountLetters? = nil
        ) {
            self.font = font
            self.bins = bins
            self.facet = facet
            self.letters = letters
        }
    }

    private static let shortCount = ClusterAttribute.pointCountAbbreviated.name

    /// The archive's id: the name of the source and the prefix of layer names, so that styles of
    /// several archives can be combined.
    private let id: String
    private let name: String
    private let center: JSONValue
    private let zoom: JSONValue
    private let layers: [Layer]

    init(of archive: ServedArchive) throws(ServiceError) {
        let metadata = archive.archive.metadata
        let summary = TileJSON(of: archive).summary
        id = archive.id
        name = metadata.name
        let center = summary["center"]?.asArray ?? [0, 0, 0]
        self.center = .array(Array(center.prefix(2)))
        zoom = center.last ?? 0
        let described = archive.described?.layers ?? []
        let companions = Set(described.flatMap { $0.companions.map(\.name) })
        let drawn = Set(metadata.vectorLayers.map(\.id))
        let own = metadata.vectorLayers.filter { !companions.contains($0.id) }
        let accounts = Dictionary(
            described.map { ($0.name, $0.keeping(drawn)) }, uniquingKeysWith: { first, _ in first })
        let scales = own.map { ($0.id, HeatScale(of: accounts[$0.id], named: $0.id)) }
        let samples = try CountSamples(
            of: archive, scales: Dictionary(scales, uniquingKeysWith: { first, _ in first }),
            valuesOf: MarkerColors.categories(of: own, in: metadata))
        let isAlone = own.count < 2
        layers = own.enumerated().map { number, layer in
            let account = accounts[layer.id]
            return Layer(
                source: archive.id, name: layer.id, steps: samples.steps(of: layer.id),
                hasShortCounts: layer.fields.contains { $0.name == Self.shortCount },
                colors: MarkerColors(
                    categoryOf: layer.id, in: metadata, commonest: samples.values(of: layer.id)),
                facets: account?.facets ?? [],
                hue: isAlone ? nil : CountSteps.hues[number % CountSteps.hues.count],
                spacing: account.spacing,
                heat: samples.scales[layer.id] ?? HeatScale(of: account, named: layer.id),
                bins: account?.bins.flatMap { bins in
                    let name = CompanionLayer.bins.name(beside: layer.id)
                    return samples.steps(of: name).map {
                        BinLayer(layer: name, maxZoom: bins.maxZoom, steps: $0)
                    }
                },
                legs: account?.companions.first { $0.kind == .legs }?.name,
                zooms: archive.zooms)
        }
    }

    /// The style of the archive at a path.
    public init(ofArchiveAt path: String) throws {
        let id = ServedPath(argument: path).ids.first ?? "archive"
        guard let archive = try ServedArchive(id: id, path: path) else {
            throw ServiceError.unreadable("\(path) is just being written")
        }
        try self.init(of: archive)
    }

    /// The style as a document.
    /// - Parameters:
    ///   - source: the address of the archive's TileJSON.
    ///   - glyphs: an address with `{fontstack}` and `{range}`; without it, the counts are icons
    ///     named `covey-count:…`, which `covey.js` draws.
    public func document(
        source: String, glyphs: String? = nil, look: Look = Look()
    ) -> JSONValue {
        var object = JSONObject()
        object["version"] = 8
        object["name"] = .string(name)
        object["center"] = center
        object["zoom"] = zoom
        object["glyphs"] = glyphs.map(JSONValue.string)
        var sources = JSONObject()
        sources[id] = ["type": "vector", "url": .string(source)]
        object["sources"] = .object(sources)
        let background: JSONValue = [
            "id": .string(id + "/background"), "type": "background",
            "paint": ["background-color": "#eef1f4"],
        ]
        let written = glyphs.map { _ in look.font ?? PageData.font }
        object["layers"] = .array(
            [background] + layers.flatMap { $0.styleLayers(writtenIn: written, look) })
        return .object(object)
    }

    /// Whether the archive has bins.
    public var hasBins: Bool { layers.contains { $0.bins != nil } }

    /// The facets by whose largest value clusters can be coloured.
    public var colorableFacets: [String] {
        let names = layers.flatMap(\.facets).filter(\.hasLargest).map(\.name)
        return names.indices.filter { names.firstIndex(of: names[$0]) == $0 }.map { names[$0] }
    }

    /// The address of glyphs at the address of `covey serve`.
    public static func glyphs(below address: String) -> String { Glyphs.template(below: address) }
}

extension ClusterDescription.Layer? {
    /// The radius within which points were clustered, or the usual one.
    fileprivate var spacing: RadiusByZoom { self?.clustering?.radius ?? RadiusByZoom(50) }
}

extension HeatScale {
    fileprivate init(of layer: ClusterDescription.Layer?, named name: String) {
        let finer = layer?.heatMaxZoom.map { (CompanionLayer.heat.name(beside: name), $0) }
        self.init(finer: finer, spacing: layer.spacing)
    }
}

extension ClusterDescription.Layer {
    /// The same without the companion layers that are not among those that tiles have.
    fileprivate func keeping(_ drawn: Set<String>) -> Self {
        var layer = self
        for (kind, name) in companions where !drawn.contains(name) {
            switch kind {
            case .heat: layer.heatMaxZoom = nil
            case .legs: layer.spread = nil
            case .bins: layer.bins = nil
            }
        }
        return layer
    }
}
