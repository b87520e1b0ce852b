import JSON
import TileArchive

extension MarkerColors {
    /// Colours for the values of a category, texts or else numbers and booleans, if clusters of the layer were grouped
    /// by an attribute or have its most common value. Clusters without it have the colour of rare values.
    /// - Parameter commonest: values that were seen, the commonest first.
    init?(
        categoryOf layer: String, in metadata: ArchiveMetadata, commonest: [JSONValue]
    ) {
        guard let source = Self.source(of: layer, in: metadata) else { return nil }
        let listed = Self.values(of: source.ofPoints, in: layer, metadata)
        let texts = (listed + commonest).filter { $0.asString != nil }
        func isOfUse(_ value: JSONValue) -> Bool {
            guard let text = value.asString else { return texts.isEmpty }
            return !Self.refused.contains(text)
        }
        let chosen = Set((commonest + listed).filter(isOfUse).prefix(Self.palette.count))
        var known = listed.filter(chosen.contains)
        known += commonest.filter { chosen.contains($0) && !known.contains($0) }
        guard !known.isEmpty else { return nil }
        // Labels are texts or whole numbers.
        let areLabels = known.allSatisfy {
            if case .integer = $0 { true } else { $0.asString != nil }
        }
        func match(_ name: String) -> JSONValue {
            let cases = zip(known, Self.palette).flatMap { value, color -> [JSONValue] in
                [areLabels ? value : .string(value.text()), .string(color)]
            }
            let value: JSONValue = ["get", .string(name)]
            return .array(
                ["match", areLabels ? value : ["to-string", value]] + cases + [.string(Self.other)])
        }
        self.init(ofClusters: match(source.ofClusters), ofPoints: match(source.ofPoints))
    }

    /// By layer, the attributes that clusters and points are coloured by, where more values are listed than
    /// there are colours, or none.
    static func categories(
        of layers: [VectorLayer], in metadata: ArchiveMetadata
    ) -> [String: [String]] {
        let pairs = layers.compactMap { layer -> (String, [String])? in
            guard let source = source(of: layer.id, in: metadata) else { return nil }
            let count = values(of: source.ofPoints, in: layer.id, metadata).count
            guard !(1...palette.count).contains(count) else { return nil }
            return (layer.id, [source.ofClusters, source.ofPoints])
        }
        return Dictionary(pairs) { first, _ in first }
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

    /// The values in the archive's `tilestats`.
    private static func values(
        of attribute: String, in layer: String, _ metadata: ArchiveMetadata
    ) -> [JSONValue] {
        let layers = metadata.tileStats?.asObject?["layers"]?.asArray ?? []
        let own = layers.first { $0.asObject?["layer"]?.asString == layer }
        let attributes = own?.asObject?["attributes"]?.asArray ?? []
        let found = attributes.first { $0.asObject?["attribute"]?.asString == attribute }
        return (found?.asObject?["values"]?.asArray ?? []).filter { $0 != .null }
    }
}

extension ArchiveMetadata {
    /// The recipe that the archive was built by, as a document.
    var recipe: JSONObject? {
        generatorOptions.flatMap { try? JSONValue(parsing: $0) }?.asObject
    }
}
