import ArchiveContract
import JSON

/// Converts the GeoJSON sources of a MapLibre style: to a recipe whose tiles behave as the live
/// sources did, and to a style that uses those tiles.
///
///     let imported = try StyleImport(reading: JSONNode(style), tiles: "/places")
///     try bake(imported.recipe)
public struct StyleImport: Sendable {
    public private(set) var recipe = Recipe()
    public private(set) var style: JSONValue
    /// Data from inside the style, for files beside the recipe.
    public private(set) var files: [File] = []
    /// What differs from the original style, in words.
    public private(set) var remarks: [String] = []

    public struct File: Equatable, Sendable {
        public var name: String
        public var data: JSONValue

        public init(name: String, data: JSONValue) {
            self.name = name
            self.data = data
        }
    }

    /// - Parameter url: the URL of the tiles' TileJSON, for the style.
    public init(reading node: JSONNode, tiles url: String) throws {
        style = node.value
        var problems = RecipeProblems()
        let users = StyleLayers(node)
        let sources = problems.gather { try node.required("sources").members } ?? []
        for (name, source) in sources {
            guard source.part("type")?.value == "geojson" else { continue }
            guard let read = problems.gather({ try GeoJSONSource(name, reading: source) }) else {
                continue
            }
            guard read.isClustered || (users.showPoints(of: name) && read.mayBePoints) else {
                remarks.append("\(name) is not clustered and shows more than points; left as it is")
                continue
            }
            add(read)
            if read.isClustered, users.reckonWithShortCount(of: name) {
                remarks.append(
                    "\(name): \(ClusterAttribute.pointCountAbbreviated.name) is always text in tiles; live it was a "
                        + "number below 1000, and some layer reads it for more than a label")
            }
            replace(read, by: url)
        }
        try problems.finish()
        guard !recipe.layers.isEmpty else {
            throw RecipeError(problems: ["sources: no GeoJSON source has \"cluster\": true"])
        }
    }

    private mutating func add(_ source: GeoJSONSource) {
        if let data = source.inlineData {
            files.append(File(name: source.file, data: data))
        }
        recipe.layers.append(source.layer)
        if source.isClustered {
            recipe.tiles.maxZoom = max(recipe.tiles.maxZoom ?? 0, source.deepestTiles)
            // Live tiles have this extent (MapLibre's EXTENT), and so do positions read from them.
            recipe.tiles.extentBits = 13
        }
        recipe.tiles.buffer = max(recipe.layers.count > 1 ? recipe.tiles.buffer : 0, source.buffer)
        if let attribution = source.attribution {
            let others = recipe.about.attribution
            if !(others?.contains(attribution) ?? false) {
                recipe.about.attribution = others.map { "\($0), \(attribution)" } ?? attribution
            }
        }
        remarks += source.remarks
    }

    private mutating func replace(_ source: GeoJSONSource, by url: String) {
        var root = style.asObject ?? [:]
        var sources = root["sources"]?.asObject ?? [:]
        sources[source.name] = source.vectorSource(url: url)
        root["sources"] = .object(sources)
        root["layers"] = .array(
            (root["layers"]?.asArray ?? []).map { StyleLayers.naming(source.name, in: $0) })
        style = .object(root)
    }
}

/// The layers of a style, which use its sources.
private struct StyleLayers {
    private let layers: [JSONObject]

    init(_ style: JSONNode) {
        layers = (style.part("layers")?.value.asArray ?? []).compactMap(\.asObject)
    }

    /// Whether a source is used, and only by layers that draw points.
    func showPoints(of source: String) -> Bool {
        let users = layers.filter { $0["source"] == .string(source) }
        let kinds: [JSONValue] = ["circle", "heatmap", "symbol"]
        return !users.isEmpty && users.allSatisfy { $0["type"].map(kinds.contains) ?? false }
    }

    /// Whether a layer of the source uses the abbreviated count for anything but its label.
    func reckonWithShortCount(of source: String) -> Bool {
        layers.contains { layer in
            guard layer["source"] == .string(source) else { return false }
            var rest = layer
            var layout = layer["layout"]?.asObject ?? [:]
            layout["text-field"] = nil
            rest["layout"] = .object(layout)
            return Self.reads(ClusterAttribute.pointCountAbbreviated.name, in: .object(rest))
        }
    }

    private static func reads(_ attribute: String, in value: JSONValue) -> Bool {
        if value == ["get", .string(attribute)] { return true }
        let parts = value.asArray ?? value.asObject?.members.map(\.value) ?? []
        return parts.contains { reads(attribute, in: $0) }
    }

    /// A layer of the style, with `source-layer` beside `source` if it uses that source.
    static func naming(_ source: String, in layer: JSONValue) -> JSONValue {
        guard var object = layer.asObject, object["source"] == .string(source) else { return layer }
        object["source-layer"] = nil
        let index = object.members.firstIndex { $0.key == "source" } ?? object.count - 1
        object.members.insert(
            .init(key: "source-layer", value: .string(source)), at: index + 1)
        return .object(object)
    }
}
