import Geometry
import Platform

/// The tiles of a folder: their place, and the names of their files.
struct FolderTiles: Sendable {
    let path: String
    /// The endings that names of tiles may have.
    let endings: [String]
    /// Whether rows are counted from the south.
    let rowsFromSouth: Bool

    init(path: String, format: String, rowsFromSouth: Bool = false) {
        self.path = path
        endings = FolderNames.endings(ofFormat: format)
        self.rowsFromSouth = rowsFromSouth
    }

    func open() throws(ArchiveError) -> OpenDirectory {
        do {
            return try OpenDirectory(path)
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
    }

    /// The number in the name of a tile's file.
    func row(of tile: TileID) -> UInt32 { rowsFromSouth ? tile.tmsRow : tile.y }

    func read(
        _ name: String, in directory: OpenDirectory, of tile: TileID
    ) throws(ArchiveError) -> [UInt8] {
        do {
            if let bytes = try directory.contents(of: name, limit: TileFolder.largestFile) {
                return bytes
            }
        } catch {
            throw .unreadable(path: path, reason: "\(tile.z)/\(tile.x)/\(name): \(error)")
        }
        throw .corrupt(path: path, reason: "tile \(tile) has more bytes than any tile needs")
    }
}

/// Looks up tiles by their names.
final class FolderTileFinder: TileFinder {
    private let tiles: FolderTiles
    private let root: OpenDirectory
    /// The column that was used last: maps ask for neighbours one after another.
    private var column: (zoom: UInt8, x: UInt32)?
    private var directory: OpenDirectory?

    init(_ tiles: FolderTiles) throws(ArchiveError) {
        root = try tiles.open()
        self.tiles = tiles
    }

    func withTile(
        at tile: TileID, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        if column?.zoom != tile.z || column?.x != tile.x {
            directory = try? root.directory("\(tile.z)").directory("\(tile.x)")
            column = (tile.z, tile.x)
        }
        guard let directory else { return false }
        for ending in tiles.endings {
            let name = "\(tiles.row(of: tile)).\(ending)"
            // Links, and anything else that is not a file, are no tiles; the audit reports them.
            guard let status = try? directory.status(of: name), status.isRegular else { continue }
            let bytes = try tiles.read(name, in: directory, of: tile)
            body(bytes.span)
            return true
        }
        return false
    }
}
