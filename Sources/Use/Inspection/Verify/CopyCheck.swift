import Geometry

/// Every point near an edge must also be in the neighbours' margins, and nothing else may be there
/// (clustering.md's second invariant; here by the sum over each tile's margin).
struct CopyCheck: Sendable {
    /// The margin, in pixels of a tile of 512.
    let buffer: Double

    static let buckets: UInt32 = 1 << 14

    /// A margin in pixels, converted to units of a tile.
    static func margin(_ buffer: Double, ofExtent extent: Int64) -> Int64 {
        Int64((buffer * Double(extent) / 512).rounded())
    }

    /// Calls `post` for each copy that the node should have, or for the copy that it is.
    func visit(
        _ node: DrawnNode, in tile: TileID, _ post: (_ tile: TileID, Ledger.Entry) -> Void
    ) {
        let extent = Int64(node.extent)
        guard extent > 0 else { return }
        let margin = Self.margin(buffer, ofExtent: extent)
        let x = Int64(node.position.x)
        let y = Int64(node.position.y)
        let hash = hash(of: node, in: tile, extent: extent)
        guard node.isInTile else {
            post(tile, .found(hash, in: Self.bucket(of: tile)))
            return
        }
        let tiles = Int64(1) << Int64(tile.z)
        let east = Self.side(of: x, extent, margin)
        let south = Self.side(of: y, extent, margin)
        guard east != 0 || south != 0 else { return }
        func expect(east: Int64, south: Int64) {
            let row = Int64(tile.y) + south
            // At zoom 0, the tile is its own neighbour to the east and west.
            guard row >= 0, row < tiles, east == 0 || tiles > 1 else { return }
            let column = (Int64(tile.x) + east) & (tiles - 1)
            let neighbor = TileID(z: tile.z, x: UInt32(column), y: UInt32(row))
            post(neighbor, .expected(hash, in: Self.bucket(of: neighbor)))
        }
        // Near an edge there is one neighbour, at a corner there are three.
        expect(east: east, south: south)
        if east != 0 && south != 0 {
            expect(east: east, south: 0)
            expect(east: 0, south: south)
        }
    }

    /// The neighbour whose margin also holds a position of the tile.
    private static func side(of offset: Int64, _ extent: Int64, _ margin: Int64) -> Int64 {
        if offset <= margin { return -1 }
        return offset >= extent - margin ? 1 : 0
    }

    static func bucket(of tile: TileID) -> UInt32 {
        let hash = Fingerprint.mix(UInt64(tile.z), UInt64(tile.x) << 32 | UInt64(tile.y))
        return UInt32(hash & UInt64(buckets - 1))
    }

    /// A hash of the feature with its position in the world, so that a copy has the hash of its original.
    private func hash(of node: DrawnNode, in tile: TileID, extent: Int64) -> UInt64 {
        let world = extent << Int64(tile.z)
        // If an extent is not a power of two, positions wrap by division.
        let column = (Int64(tile.x) * extent + Int64(node.position.x) + world) % world
        let row = Int64(tile.y) * extent + Int64(node.position.y)
        let position = Fingerprint.mix(
            UInt64(bitPattern: column), UInt64(bitPattern: row) << 6 | UInt64(tile.z))
        return Fingerprint.mix(node.fingerprint, position)
    }
}
