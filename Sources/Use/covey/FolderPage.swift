import TileArchive
import TileService

extension FolderFlags {
    /// The page and the documents that go into a folder of that name.
    static func companions(
        path: String, address: String?
    ) -> @Sendable (Archive) throws -> [FolderOptions.StaticFile] {
        let name = path.split(separator: "/").last.map(String.init) ?? "tiles"
        let site = StaticSite(name: name, address: address, mapLibre: .usual)
        return { try site.files(of: $0) }
    }
}
