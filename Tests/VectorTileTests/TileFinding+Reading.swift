import MessageTiles
import VectorTile

extension TileFinding {
    /// The broken rule for which a tile is refused; nil for one that can be read, or is too large.
    static func fatal(in bytes: [UInt8]) -> TileFinding? {
        do throws(TileError) {
            _ = try Tile(bytes.span)
            return nil
        } catch {
            guard case .broken(let rule, let location) = error else { return nil }
            return TileFinding(rule, at: location)
        }
    }
}
