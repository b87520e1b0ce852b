import JSON
import TileArchive

extension MarkerColors {
    /// Colours for the values of a category, texts or else whole numbers, if clusters of the layer were grouped by
    /// an attribute or have its most common value. Clusters without it have the colour of rare values.
    init?(categoryOf layer: VectorLayer, in metadata: ArchiveMetadata) {
        guard let source = Self.source(of: layer.id, in: metadata) else { return nil }
        let known = Self.values(of: source.ofPoints, in: layer.id, metadata)
        guard !known.isEmpty else { return nil }
        func match(_ name: String) -> JSONValue {
            let cases = zip(known, Self.palette).flatMap { value, color -> [JSONValue] in
                [value, .string(color)]
            }
            return .array(["match", ["get", .string(name)]] + cases + [.string(Self.other)])
        }
        self.init(ofClusters: match(source.ofClusters), ofPoints: match(source.ofPoints))
    }

    /// The attribute by which the layer's clusters were grouped, or the recipe's first aggregate
    /// that is a most common value; and the attribute of single points from which it is made.
    private static func source(
        of layer: String, in metadata: ArchiveMetadata
    ) -> (ofClusters: String, ofPoints: String)? {
        guard let recipe = metadata.recipe else { return nil }
        let layers = recipe["layers"]?.asArray ?? []
        let own = layers.first { $0.asObject?["name"]?.asString == layer } ?? layers.first
        let clusters = own?.asObject?["clusters"]?.asObject
        if let name = clusters?["groupBy"]?.asString { return (name, name) }
        guard let aggregates = clusters?["aggregates"]?.asObject else { return nil }
        for member in aggregates.members {
            let parts = (member.value.asString ?? "").split(separator: ":", maxSplits: 1)
            if parts.first == "mode", parts.count == 2 { return (member.key, String(parts[1])) }
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
