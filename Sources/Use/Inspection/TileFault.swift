import Compression
import VectorTile

/// Why a tile could not be read to its end.
public enum TileFault: Error, Equatable, Sendable {
    case compression(CompressionError)
    case contents(TileError)
}

extension TileFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .compression(let error): error.description
        case .contents(let error): error.description
        }
    }
}
