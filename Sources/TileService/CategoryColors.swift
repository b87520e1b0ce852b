import JSON
import TileArchive

/// Colours for the commonest values of a category, where clusters know their most common one.
struct CategoryColors: Sendable {
    /// Told apart by most people with colour blindness too; white figures can be read on each.
    private static let palette = [
        "#2f6396", "#a3541a", "#2b7a4b", "#8f2d56", "#5b4a9c", "#6b5d12", "#1f6f78", "#7a3b2e",
    ]
    private static let other = "#5f6b76"

    /// The attribute that clusters have.
    private let aggregate: String
    /// The attribute of single points that it comes from.
    private let attribute: String
    private let values: [String]

    /// nil unless the archive says that an attribute of clusters is the mode of a text attribute.
    init?(of layer: VectorLayer, in metadata: ArchiveMetadata) {
        guard let aggregate = Self.mode(of: layer.id, in: metadata) else { return nil }
        self.aggregate = aggregate.name
        attribute = aggregate.attribute
        let known = Self.values(of: attribute, in: layer.id, metadata)
        guard !known.isEmpty else { return nil }
        values = Array(known.prefix(Self.palette.count))
    }

    var expression: JSONValue { match(aggregate) }
    var pointExpression: JSONValue { match(attribute) }

    private func match(_ name: String) -> JSONValue {
        var parts: [JSONValue] = ["match", ["get", .string(name)]]
        for (value, color) in zip(values, Self.palette) {
            parts += [.string(value), .string(color)]
        }
        return .array(parts + [.string(Self.other)])
    }

    /// The first aggregate of the layer's recipe that is a mode.
    private static func mode(
        of layer: String, in metadata: ArchiveMetadata
    ) -> (name: String, attribute: String)? {
        guard let text = metadata.generatorOptions, let recipe = try? JSONValue(parsing: text)
        else { return nil }
        let layers = recipe.asObject?["layers"]?.asArray ?? []
        let own = layers.first { $0.asObject?["name"]?.asString == layer } ?? layers.first
        let clusters = own?.asObject?["clusters"]?.asObject
        guard let aggregates = clusters?["aggregates"]?.asObject else { return nil }
        for member in aggregates.members {
            let parts = (member.value.asString ?? "").split(separator: ":", maxSplits: 1)
            if parts.first == "mode", parts.count == 2 { return (member.key, String(parts[1])) }
        }
        return nil
    }

    /// The text values that the archive's `tilestats` list.
    private static func values(
        of attribute: String, in layer: String, _ metadata: ArchiveMetadata
    ) -> [String] {
        let layers = metadata.tileStats?.asObject?["layers"]?.asArray ?? []
        let own = layers.first { $0.asObject?["layer"]?.asString == layer }
        let attributes = own?.asObject?["attributes"]?.asArray ?? []
        let found = attributes.first { $0.asObject?["attribute"]?.asString == attribute }
        return (found?.asObject?["values"]?.asArray ?? []).compactMap(\.asString)
    }
}
