import Basics
import Geometry
import HTTP

/// A tile as stored in an archive, with the mark of its bytes.
struct CachedTile: Sendable {
    /// Identifies a tile of an archive: an archive that replaces another has a number of its own.
    struct Key: Hashable, Sendable {
        let archive: Int
        let tile: TileID
    }

    let payload: Payload
    let hash: ContentHash

    init(_ payload: Payload) {
        self.payload = payload
        hash = ContentHash(of: payload.span)
    }
}
