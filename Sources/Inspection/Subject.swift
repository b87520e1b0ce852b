import Geometry
import TileArchive

/// What a path leads to: an archive of tiles, or one tile.
public enum Subject: Sendable {
    case archive(Archive)
    case tile(LooseTile)

    /// Looks at the first bytes; `-` is a tile on standard input.
    public init(path: String) throws(InspectionError) {
        let bytes: [UInt8]
        if path == "-" {
            bytes = try FileBytes.read(path, limit: LooseTile.limit)
        } else {
            let start = try FileBytes.readStart(path, count: 16)
            if start.starts(with: Self.sqliteMagic) {
                do {
                    self = .archive(try Archive(path: path))
                    return
                } catch {
                    throw .archive(error)
                }
            }
            bytes = try FileBytes.read(path, limit: LooseTile.limit)
        }
        if bytes.starts(with: Array("PMTiles".utf8)) {
            throw .otherFormat(path: path, name: "a PMTiles archive")
        }
        if bytes.starts(with: Self.sqliteMagic) {
            throw .otherFormat(path: path, name: "an archive, which cannot be read from a pipe")
        }
        self = .tile(LooseTile(path: path, stored: bytes))
    }

    private static let sqliteMagic = Array("SQLite format 3\0".utf8)
}

/// A tile in a file of its own, gzip or not; nothing says which tile it is.
public struct LooseTile: Sendable {
    public let path: String
    public let stored: [UInt8]

    static let limit = TileOpener.limit

    public init(path: String, stored: [UInt8]) {
        self.path = path
        self.stored = stored
    }
}
