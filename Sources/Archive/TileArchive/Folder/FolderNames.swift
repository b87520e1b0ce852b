/// The names of the files and folders in an archive that is a folder.
enum FolderNames {
    /// The rows of the metadata by name, each a text; other programs that make folders of tiles write this file,
    /// too.
    static let metadata = "metadata.json"
    /// TileJSON, for map clients.
    static let tileJSON = "tiles.json"
    /// The folder of cluster blocks.
    static let clusters = "clusters"

    /// The endings of the names of tiles of a format; tiles are written with the first one.
    static func endings(ofFormat format: String) -> [String] {
        switch format {
        case "pbf": ["pbf", "mvt"]
        case "jpg", "jpeg": ["jpg", "jpeg"]
        default: [format]
        }
    }

    /// A number in a name: without a sign or a leading zero.
    static func number(_ name: Substring) -> UInt32? {
        guard let number = UInt32(name), name.utf8.count == 1 || name.utf8.first != 0x30,
            name.utf8.first != UInt8(ascii: "+")
        else { return nil }
        return number
    }

    /// The zoom whose tiles are in a folder with this name.
    static func zoom(_ name: String) -> UInt8? {
        number(name[...]).flatMap { $0 <= 31 ? UInt8($0) : nil }
    }

    /// The row and the ending in the name of a tile's file: `5.pbf`.
    static func tile(_ name: String) -> (row: UInt32, ending: Substring)? {
        guard let dot = name.firstIndex(of: "."), let row = number(name[..<dot]) else { return nil }
        return (row, name[name.index(after: dot)...])
    }

    /// Whether a name at the top of an archive belongs to the archive, so that it may be removed when the archive
    /// is replaced.
    static func isOwn(_ name: String) -> Bool {
        zoom(name) != nil
            || [metadata, tileJSON, "style.json", clusters, "index.html", "assets"].contains(name)
            || [".js", ".mjs", ".css", ".svg"].contains { name.hasSuffix($0) }
    }
}
