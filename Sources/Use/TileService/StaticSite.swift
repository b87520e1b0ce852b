import Compression
import JSON
import TileArchive

/// The files that make a folder of tiles a map on any static host: TileJSON, style, page.
public struct StaticSite: Sendable {
    private let id: String
    /// The future address of the folder, without a slash at the end; nil if it is not known.
    private let address: String?
    private let mapLibre: MapLibreSource

    /// - Parameters:
    ///   - name: the name of the folder.
    ///   - address: the future address of the folder, which documents must contain for clients
    ///     other than the page. Without it they contain relative addresses.
    public init(name: String, address: String?, mapLibre: MapLibreSource) {
        id = ArchiveID.id(forPath: name)
        self.address = address.map { String($0.last == "/" ? $0.dropLast() : $0[...]) }
        self.mapLibre = mapLibre
    }

    /// The files beside an archive's tiles.
    public func files(of archive: Archive) throws -> [FolderOptions.StaticFile] {
        guard let served = try ServedArchive(id: id, path: archive.path) else {
            throw ServiceError.unreadable("\(archive.path) is just being written")
        }
        let kind = TileKind(format: archive.metadata.format)
        let ending = archive.metadata.format == "jpeg" ? "jpg" : archive.metadata.format
        let tiles = within("{z}/{x}/{y}.\(ending)")
        var document = TileJSON(of: served).document(tiles: tiles).asObject ?? JSONObject()
        let tree = try TileTree(of: archive, deepest: served.zooms.upperBound)
        document["tileTree"] = tree.map { _ in .string(Self.treeName) }
        var files = [json("tiles.json", .object(document))]
        if let tree {
            var compressor = GzipCompressor(level: 9)
            files.append(.init(Self.treeName, compressor.compress(tree.bytes.span)))
        }
        // The page draws only vector tiles.
        guard kind.isVector else { return files }
        let style = try StyleSheet(of: served)
        let styled = style.document(
            source: within("tiles.json"), glyphs: within(PageFiles.glyphs))
        files.append(json("style.json", styled))
        files += PageFiles(mapLibre: mapLibre).files.map { .init($0.path, $0.bytes) }
        return files
    }

    private static let treeName = "assets/tiles.tree"

    private func within(_ path: String) -> String { address.map { "\($0)/\(path)" } ?? path }

    private func json(_ name: String, _ value: JSONValue) -> FolderOptions.StaticFile {
        .init(name, Array((value.text(.pretty) + "\n").utf8))
    }
}
