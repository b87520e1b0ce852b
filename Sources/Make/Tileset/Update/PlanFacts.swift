import ArchiveContract
import TileArchive

/// The facts that all points together decide; if one changes, all tiles may change.
enum PlanFacts {
    /// The differences between the facts of two archives, in words.
    static func differences(_ old: ArchiveMetadata, _ new: ArchiveMetadata) -> [String] {
        zoom(old.maxZoom, new.maxZoom) + attributes(old, new) + facets(old, new)
    }

    /// Counts by value depend on the order of the values.
    private static func facets(_ old: ArchiveMetadata, _ new: ArchiveMetadata) -> [String] {
        let (before, now) = (facets(in: old), facets(in: new))
        return now.keys.sorted().compactMap { name in
            before[name] == now[name]
                ? nil : "the values of \(name), or their order, changed"
        }
    }

    private static func facets(in metadata: ArchiveMetadata) -> [String: ClusterDescription.Facet] {
        let layers = (try? metadata.clusterDescription?.get())?.layers ?? []
        let facets = layers.flatMap { layer in
            layer.facets.map { ("facet \($0.name) of layer \(layer.name)", $0) }
        }
        return Dictionary(facets) { first, _ in first }
    }

    private static func zoom(_ old: UInt8?, _ new: UInt8?) -> [String] {
        guard old != new, let old, let new else { return [] }
        return ["the deepest zoom was \(old) and is \(new)"]
    }

    private static func attributes(_ old: ArchiveMetadata, _ new: ArchiveMetadata) -> [String] {
        let (before, now) = (types(in: old), types(in: new))
        return Set(before.keys).union(now.keys).sorted().compactMap { name in
            switch (before[name], now[name]) {
            case (nil, let type?): "\(name) is new (\(type))"
            case (let type?, nil): "\(name) is gone (\(type))"
            case (let old?, let new?) where old != new: "\(name) was \(old) and is \(new)"
            default: nil
            }
        }
    }

    /// The type of each attribute of each layer.
    private static func types(in metadata: ArchiveMetadata) -> [String: String] {
        let fields = metadata.vectorLayers.flatMap { layer in
            layer.fields.map { ("attribute \($0.name) of layer \(layer.id)", $0.type) }
        }
        return Dictionary(fields) { first, _ in first }
    }
}
