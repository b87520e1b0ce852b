/// The names of what lies in an archive that is a folder.
enum FolderNames {
    /// The rows of the metadata, name by name, each a text: what other programs that make folders
    /// of tiles write too.
    static let metadata = "metadata.json"
    /// TileJSON, for map clients.
    static let tileJSON = "tiles.json"
    /// The folder of cluster blocks.
    static let clusters = "clusters"

    /// How names of tiles of a format may end; what is written ends like the first.
    static func endings(ofFormat format: String) -> [String] {
        switch format {
        case "pbf": ["pbf", "mvt"]
        case "jpg", "jpeg": ["jpg", "jpeg"]
        default: [format]
        }
    }

    /// A number written as a name: no sign, no leading zero.
    static func number(_ name: Substring) -> UInt32? {
        guard let number = UInt32(name), name.utf8.count == 1 || name.utf8.first != 0x30,
            name.utf8.first != UInt8(ascii: "+")
        else { return nil }
        return number
    }

    /// The zoom whose tiles lie in a folder of that name.
    static func zoom(_ name: String) -> UInt8? {
        number(name[...]).flatMap { $0 <= 31 ? UInt8($0) : nil }
    }

    /// The row of a tile's file and how the name ends: `5.pbf`.
    static func tile(_ name: String) -> (row: UInt32, ending: Substring)? {
        guard let dot = name.firstIndex(of: "."), let row = number(name[..<dot]) else { return nil }
        return (row, name[name.index(after: dot)...])
    }

    /// Whether an archive has something of that name at its top, so that replacing the archive may
    /// remove it.
    static func isOwn(_ name: String) -> Bool {
        zoom(name) != nil
            || [metadata, tileJSON, "style.json", clusters, "index.html", "assets"].contains(name)
            || [".js", ".mjs", ".css", ".svg"].contains { name.hasSuffix($0) }
    }
}
