import JSON
import TileArchive

/// Colours for the values of a category, if clusters have one value of it or its most common value.
struct CategoryColors: Sendable {
    /// The attributes with the category.
    private struct Source {
        /// The attribute of clusters.
        var ofClusters: String
        /// The attribute of single points from which it is made.
        var ofPoints: String
    }

    private let source: Source
    /// The values: texts, or else whole numbers.
    private let values: [JSONValue]

    /// Nil unless clusters of the layer were grouped by an attribute, or have its most common value.
    init?(of layer: VectorLayer, in metadata: ArchiveMetadata) {
        guard let source = Self.source(of: layer.id, in: metadata) else { return nil }
        self.source = source
        let known = Self.values(of: source.ofPoints, in: layer.id, metadata)
        guard !known.isEmpty else { return nil }
        values = Array(known.prefix(MarkerColors.palette.count))
    }

    /// The colours; clusters without the attribute have the colour of rare values.
    var colors: MarkerColors {
        MarkerColors(ofClusters: match(source.ofClusters), ofPoints: match(source.ofPoints))
    }

    private func match(_ name: String) -> JSONValue {
        var parts: [JSONValue] = ["match", ["get", .string(name)]]
        for (value, color) in zip(values, MarkerColors.palette) {
            parts += [value, .string(color)]
        }
        return .array(parts + [.string(MarkerColors.other)])
    }

    /// The attribute by which the layer's clusters were grouped, or the recipe's first aggregate
    /// that is a most common value.
    private static func source(of layer: String, in metadata: ArchiveMetadata) -> Source? {
        guard let recipe = metadata.recipe else { return nil }
        let layers = recipe["layers"]?.asArray ?? []
        let own = layers.first { $0.asObject?["name"]?.asString == layer } ?? layers.first
        let clusters = own?.asObject?["clusters"]?.asObject
        if let name = clusters?["groupBy"]?.asString {
            return Source(ofClusters: name, ofPoints: name)
        }
        guard let aggregates = clusters?["aggregates"]?.asObject else { return nil }
        for member in aggregates.members {
            let parts = (member.value.asString ?? "").split(separator: ":", maxSplits: 1)
            if parts.first == "mode", parts.count == 2 {
                return Source(ofClusters: member.key, ofPoints: String(parts[1]))
            }
        }
        return nil
    }

    /// The texts in the archive's `tilestats`, or else the whole numbers.
    private static func values(
        of attribute: String, in layer: String, _ metadata: ArchiveMetadata
    ) -> [JSONValue] {
        let layers = metadata.tileStats?.asObject?["layers"]?.asArray ?? []
        let own = layers.first { $0.asObject?["layer"]?.asString == layer }
        let attributes = own?.asObject?["attributes"]?.asArray ?? []
        let found = attributes.first { $0.asObject?["attribute"]?.asString == attribute }
        let values = found?.asObject?["values"]?.asArray ?? []
        let texts = values.filter { $0.asString != nil }
        guard texts.isEmpty else { return texts }
        return values.filter { if case .integer = $0 { true } else { false } }
    }
}

extension ArchiveMetadata {
    /// The recipe that the archive was built by, as a document.
    var recipe: JSONObject? {
        generatorOptions.flatMap { try? JSONValue(parsing: $0) }?.asObject
    }
}
