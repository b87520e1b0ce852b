import Geometry
import JSON
import Platform

/// A folder's description of its tiles: the rows of `metadata.json`, or else of a TileJSON.
struct FolderMetadata {
    let metadata: ArchiveMetadata
    let warnings: [ArchiveWarning]
    /// Whether rows are counted from the south, as in the scheme `tms`.
    let rowsFromSouth: Bool

    /// The most bytes of a file: JSON within JSON has a backslash before each quotation mark.
    private static let mostBytes = 2 * ArchiveMetadata.mostBytes

    init(in root: OpenDirectory, path: String) throws(ArchiveError) {
        let own = try Self.object(FolderNames.metadata, in: root, path: path)
        let tileJSON =
            own == nil ? try Self.object(FolderNames.tileJSON, in: root, path: path) : nil
        var rows = (own ?? JSONObject()).members.map(Self.row)
        if let tileJSON { rows = Self.rows(of: tileJSON) }
        guard own != nil || tileJSON != nil || Self.hasZooms(root) else {
            throw .unreadable(
                path: path,
                reason: "it holds neither \(FolderNames.metadata) nor \(FolderNames.tileJSON) nor "
                    + "folders 0, 1, 2 … of tiles, and so no archive")
        }
        var room = ArchiveMetadata.mostBytes
        var tooLong: [ArchiveWarning] = []
        rows.removeAll { row in
            let bytes = row.name.utf8.count + row.value.utf8.count
            if bytes <= room {
                room -= bytes
                return false
            }
            tooLong.append(.tooLong(row: String(row.name.prefix(40)), bytes: bytes))
            return true
        }
        rowsFromSouth = (own ?? tileJSON)?["scheme"]?.asString == "tms"
        guard !rows.isEmpty else {
            var unknown = ArchiveMetadata(name: "")
            unknown.format = Self.format(of: root)
            metadata = unknown
            warnings = [.noMetadata]
            return
        }
        var reading = MetadataReading(rows: rows)
        metadata = reading.metadata()
        warnings = reading.warnings + tooLong
    }

    /// What is wrong with a TileJSON beside rows that say the same: its zooms and layers, which maps ask for.
    static func faultsOfTileJSON(
        in root: OpenDirectory, beside metadata: ArchiveMetadata, path: String
    ) -> [String] {
        let name = FolderNames.tileJSON
        do throws(ArchiveError) {
            guard let object = try object(name, in: root, path: path) else { return [] }
            var reading = MetadataReading(rows: rows(of: object))
            let found = reading.metadata()
            let layers = metadata.vectorLayers
            let differing = [
                ("minzoom", metadata.minZoom.map { $0 != found.minZoom } ?? false),
                ("maxzoom", metadata.maxZoom.map { $0 != found.maxZoom } ?? false),
                ("vector_layers", !layers.isEmpty && layers != found.vectorLayers),
            ].filter(\.1)
            return differing.map { "\($0.0) of \(name) is not that of \(FolderNames.metadata)" }
        } catch {
            return ["\(error)"]
        }
    }

    private static func object(
        _ name: String, in root: OpenDirectory, path: String
    ) throws(ArchiveError) -> JSONObject? {
        let bytes: [UInt8]?
        do {
            bytes = try root.contents(of: name, limit: mostBytes)
        } catch {
            if error.isMissing { return nil }
            throw .unreadable(path: path, reason: "\(name): \(error)")
        }
        guard let bytes else {
            throw .unreadable(path: path, reason: "\(name) is larger than any archive needs")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let object = (try? JSONValue(parsing: text))?.asObject else {
            throw .corrupt(path: path, reason: "\(name) is not a JSON object")
        }
        return object
    }

    /// A row, also as other programs write it: texts, and sometimes numbers or objects.
    private static func row(_ member: JSONObject.Member) -> ArchiveMetadata.Row {
        ArchiveMetadata.Row(member.key, member.value.asString ?? member.value.text())
    }

    /// The contents of a TileJSON, as rows.
    private static func rows(of tileJSON: JSONObject) -> [ArchiveMetadata.Row] {
        var rows: [ArchiveMetadata.Row] = []
        var json = JSONObject()
        for member in tileJSON.members {
            switch (member.key, member.value) {
            case ("vector_layers", let value), ("tilestats", let value): json[member.key] = value
            case ("tiles", _), ("tilejson", _), ("id", _): break
            case (_, .array(let numbers)):
                let list = numbers.map { $0.text() }.joined(separator: ",")
                rows.append(.init(member.key, list))
            default: rows.append(row(member))
            }
        }
        if json.count > 0 { rows.append(.init("json", JSONValue.object(json).text())) }
        let isVector = tileJSON["format"] == nil
        return rows + (isVector ? [.init("format", "pbf")] : [])
    }

    static func hasZooms(_ root: OpenDirectory) -> Bool {
        (try? root.entries())?.contains {
            FolderNames.zoom($0.name) != nil && ($0.kind ?? .directory) == .directory
        } ?? false
    }

    /// The format according to the ending of some tile's name.
    private static func format(of root: OpenDirectory) -> String {
        var directory = root
        for _ in 0..<2 {
            let names = ((try? directory.entries()) ?? []).map(\.name)
            let number = names.first { FolderNames.number($0[...]) != nil }
            guard let number, let next = try? directory.directory(number) else { return "pbf" }
            directory = next
        }
        let names = ((try? directory.entries()) ?? []).map(\.name)
        let ending = names.lazy.compactMap { FolderNames.tile($0)?.ending }.first
        let known = ["png", "jpg", "jpeg", "webp"].first { $0 == ending ?? "" }
        return known ?? "pbf"
    }
}
