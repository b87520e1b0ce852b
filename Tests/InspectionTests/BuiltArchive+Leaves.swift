import Compression
import MessageTiles
import SQLite
import Testing
import VectorTile

extension BuiltArchive {
    /// Puts two points of the first leaf block, counted through its layers, in each other's place.
    func swapLeaves(_ a: Int, _ b: Int) throws {
        try makeOld()
        var tile = try firstLeafBlock()
        var places: [(layer: Int, index: Int)] = []
        for layer in tile.layers.indices {
            places += tile.layers[layer].features.indices.map { (layer, $0) }
        }
        let (first, second) = (places[a], places[b])
        tile.layers[first.layer].features.swapAt(first.index, second.index)
        var gzip = GzipCompressor(level: 6)
        let database = try Database(path: path, mode: .readWriteCreate)
        var update = try database.prepare("UPDATE covey_leaf_blocks SET data = ?1 WHERE block = 0")
        let packed = gzip.compress(tile.packed().span)
        try update.run(binding: packed.span, at: 1)
    }

    /// Read in a function of its own: a scan that is still open would lock the database.
    private func firstLeafBlock() throws -> MessageTiles.Tile {
        var scan = try archive.scanLeafBlocks()
        _ = try scan.next()
        var inflater = GzipInflater()
        // Named, because the compiler loses a temporary whose span outlives a throw.
        let plain = try inflater.inflate(scan.bytes, limit: 1 << 20)
        return try MessageTiles.Tile(plain.span)
    }
}
