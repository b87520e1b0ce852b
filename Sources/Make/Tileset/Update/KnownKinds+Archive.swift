import JSON
import PointInput
import TileArchive

extension KnownKinds {
    /// The kinds of a layer's attributes, as `tilestats` has them; those of several kinds are left out.
    init(of layer: String, in metadata: ArchiveMetadata, _ archive: String) {
        func objects(_ name: String, of object: JSONObject?) -> [JSONObject] {
            (object?[name]?.asArray ?? []).compactMap(\.asObject)
        }
        let own = objects("layers", of: metadata.tileStats?.asObject)
            .first { $0["layer"]?.asString == layer }
        var kinds: [String: AttributeKind] = [:]
        for attribute in objects("attributes", of: own) {
            guard let name = attribute["attribute"]?.asString else { continue }
            switch attribute["type"]?.asString {
            case "number": kinds[name] = .number
            case "string": kinds[name] = .text
            case "boolean": kinds[name] = .bool
            default: continue
            }
        }
        self.init(of: archive, kinds)
    }
}
