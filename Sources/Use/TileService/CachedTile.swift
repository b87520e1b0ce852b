import Geometry
import HTTP

/// A tile as an archive holds it, with the mark of its bytes.
struct CachedTile: Sendable {
    /// Which tile of which archive: an archive that replaces another has its own number.
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
