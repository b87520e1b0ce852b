import Geometry
import TileArchive
import VectorTile

/// Why something cannot be looked at: which file, what is wrong with it.
public enum InspectionError: Error, Equatable, Sendable {
    case unreadable(path: String, reason: String)
    case tooLarge(path: String, limit: Int)
    /// Another kind of file that holds tiles.
    case otherFormat(path: String, name: String)
    /// Neither an archive nor a tile; `fault` is why it is no tile.
    case neither(path: String, fault: TileFault)
    case noTile(path: String, TileID)
    case badTile(path: String, TileID?, TileFault)
    case archive(ArchiveError)
}

extension InspectionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .tooLarge(let path, let limit): "\(path): longer than \(limit) bytes, so no tile"
        case .otherFormat(let path, let name):
            "\(path): \(name); only MBTiles archives and single vector tiles can be inspected"
        case .neither(let path, let fault):
            "\(path): neither an MBTiles archive nor a vector tile: \(fault)"
        case .noTile(let path, let tile): "\(path): there is no tile \(tile)"
        case .badTile(let path, let tile, let fault):
            tile.map { "\(path): tile \($0): \(fault)" } ?? "\(path): \(fault)"
        case .archive(let error): error.description
        }
    }
}
