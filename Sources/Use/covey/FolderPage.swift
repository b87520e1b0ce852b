import TileArchive
import TileService

extension FolderFlags {
    /// The page and the documents for a folder with a name.
    static func companions(
        path: String, address: String?
    ) -> @Sendable (Archive) throws -> [FolderOptions.StaticFile] {
        let name = path.split(separator: "/").last.map(String.init) ?? "tiles"
        let site = StaticSite(name: name, address: address, mapLibre: .usual)
        return { try site.files(of: $0) }
    }
}
