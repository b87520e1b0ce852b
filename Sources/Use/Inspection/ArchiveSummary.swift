import ArchiveContract
import Geometry
import JSON
import Platform
import TileArchive

/// The facts about an archive that are known without decoding a tile.
public struct ArchiveSummary: Sendable {
    public let path: String
    /// The size of all its files together.
    public let bytes: Int?
    /// The name of the container's kind.
    public let container: String
    public let layout: ArchiveLayout
    public let metadata: ArchiveMetadata
    public let warnings: [ArchiveWarning]
    /// Whether the archive can answer questions about points and clusters.
    public let hasClusters: Bool

    public init(of archive: Archive) {
        path = archive.path
        let files = archive.files.isEmpty ? [archive.path] : archive.files
        let sizes = files.map { try? FileStatus.byteCount(at: $0) }
        bytes = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
        container = archive.containerName
        layout = archive.layout
        metadata = archive.metadata
        warnings = archive.warnings
        hasClusters = archive.hasClusters
    }

    /// The summary as JSON, with the figures of all tiles.
    public func json(with survey: Survey) -> JSONValue {
        var object = JSONObject([.init(key: "file", value: .string(path))])
        object["bytes"] = bytes.map { .integer(Int64($0)) }
        object["container"] = .string(container.lowercased())
        object["layout"] = .string(layout.name)
        object["cluster_index"] = .bool(hasClusters)
        object["metadata"] = metadataJSON
        object["warnings"] = .array(warnings.map { .string($0.description) })
        object["tiles"] = .integer(Int64(survey.tiles))
        for member in survey.json.asObject?.members ?? [] { object[member.key] = member.value }
        return .object(object)
    }

    /// The metadata rows; values that are JSON stay JSON.
    private var metadataJSON: JSONValue {
        var object = JSONObject()
        for row in metadata.rows {
            let isJSON = row.name == "json" || row.name == ClusterDescription.rowName
            let parsed = isJSON ? try? JSONValue(parsing: row.value) : nil
            object[row.name] = parsed ?? .string(row.value)
        }
        return .object(object)
    }
}
