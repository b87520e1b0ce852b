import ArchiveContract
import JSON
import Platform
import TileArchive

extension Archive {
    /// The size of all its files together.
    package var byteCount: Int? {
        let sizes = (files.isEmpty ? [path] : files).map { try? FileStatus.byteCount(at: $0) }
        return sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
    }

    /// What it says of itself, with the figures of all its tiles, as JSON.
    package func summary(with survey: Survey) -> JSONValue {
        var object = JSONObject([.init(key: "file", value: .string(path))])
        object["file_bytes"] = byteCount.map { .integer(Int64($0)) }
        object["container"] = .string(containerName.lowercased())
        object["layout"] = .string(layout.name)
        object["cluster_index"] = .bool(hasClusters)
        object["metadata"] = metadata.summary
        var warnings = warnings.map(\.description)
        if let warning = survey.warning { warnings.append(warning) }
        object["warnings"] = .array(warnings.map(JSONValue.string))
        object["tiles"] = .integer(Int64(survey.tiles))
        object["tile_bytes"] = .integer(Int64(survey.zooms.reduce(0) { $0 + $1.bytes }))
        for member in survey.json.asObject?.members ?? [] { object[member.key] = member.value }
        return .object(object)
    }
}

extension ArchiveMetadata {
    /// The rows; values that are JSON stay JSON.
    fileprivate var summary: JSONValue {
        var object = JSONObject()
        for row in rows {
            let isJSON = row.name == "json" || row.name == ClusterDescription.rowName
            let parsed = isJSON ? try? JSONValue(parsing: row.value) : nil
            object[row.name] = parsed ?? .string(row.value)
        }
        return .object(object)
    }
}
