import ArchiveContract
import Geometry
import TileArchive
import VectorTile

/// Why a query about clusters has no answer.
public enum ClusterQueryError: Error, Equatable, Sendable {
    case archive(ArchiveError)
    case badLeafBlock(path: String, block: Int64, TileError)
    /// A block has more points than there are numbers for.
    case tooManyPoints(path: String, block: Int64, points: Int, wanted: Int)
    /// A point carries more than an answer may have.
    case largeLeaf(path: String, leaf: Int64)
    case badTile(TileID, TileError)
    /// There are more leaf blocks, or corners of their hulls, than a search by position may read.
    case tooManyBlocks(path: String)
    /// The clusters of a tile together carry more than an answer may have.
    case tooMuchToTell(TileID)
}

extension ClusterQueryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .archive(let error): error.description
        case .badLeafBlock(let path, let block, let error): "\(path): leaf block \(block): \(error)"
        case .tooManyPoints(let path, let block, let points, let wanted):
            "\(path): leaf block \(block) is damaged: it has \(points) points instead of \(wanted)"
        case .tooManyBlocks(let path):
            "\(path): it has too many points to find one by its position; ask by a cluster's id"
        case .badTile(let tile, let error): "tile \(tile): \(error)"
        case .tooMuchToTell(let tile):
            "tile \(tile): clusters carry more than \(ClusterQuery.mostBytesOfLeaf >> 20) MiB"
        case .largeLeaf(let path, let leaf):
            "\(path): point \(leaf) carries more than \(ClusterQuery.mostBytesOfLeaf >> 20) MiB"
        }
    }
}
