import Geometry
import TileArchive
import VectorTile

/// Why a file cannot be inspected: which file, and what is wrong with it.
public enum InspectionError: Error, Equatable, Sendable {
    case unreadable(path: String, reason: String)
    case tooLarge(path: String, limit: Int)
    case empty(path: String)
    /// A file of another kind, which cannot hold a tile.
    case foreign(path: String, ForeignFile)
    /// A file that has an archive's name but does not begin like one.
    case noArchive(path: String, kind: String)
    /// Another kind of file that holds tiles.
    case otherFormat(path: String, name: String)
    case noTile(path: String, TileID)
    case badTile(path: String, TileID?, TileFault)
    case archive(ArchiveError)
}

extension InspectionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .tooLarge(let path, let limit): "\(path): longer than \(limit) bytes, so no tile"
        case .empty(let path): "\(path): empty: neither an archive nor a tile"
        case .foreign(let path, let file):
            file.holdsPoints
                ? "\(path): \(file.rawValue), not tiles; 'covey build \(path) -o OUT.mbtiles' makes "
                    + "an archive of its points"
                : "\(path): \(file.rawValue); only archives of tiles and single vector tiles can be "
                    + "inspected"
        case .noArchive(let path, let kind):
            "\(path): damaged, or no archive: it does not begin as \(kind) does; copy or build it "
                + "again (a single tile has a name that ends in .mvt or .pbf)"
        case .otherFormat(let path, let name):
            "\(path): \(name); only archives of tiles and single vector tiles can be inspected"
        case .noTile(let path, let tile): "\(path): there is no tile \(tile)"
        case .badTile(let path, let tile, let fault):
            tile.map { "\(path): tile \($0): \(fault)" } ?? "\(path): \(fault)"
        case .archive(let error): error.description
        }
    }
}
