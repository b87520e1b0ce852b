import ClusterQueries
import Compression
import Geometry
import HTTP
import TileArchive
import VectorTile

/// Tiles that were left out because an ancestor shows the same (`--variable-depth`): each is cut
/// out of the ancestor, so that clients need not know about it.
extension TileService {
    /// The tile as the archive would have it, gzip; nil if no ancestor stands for it, or the
    /// ancestor has nothing there.
    func coveredTile(
        _ tile: TileID, of archive: ServedArchive
    ) throws(ServiceError) -> Payload? {
        var next = tile.parent
        while let ancestor = next, Int(ancestor.z) >= archive.zooms.lowerBound,
            Int(tile.z - ancestor.z) <= archive.coveredZooms
        {
            if let contents = try archive.inflatedTile(ancestor) {
                return try cut(tile, outOf: contents, at: ancestor, of: archive)
            }
            next = ancestor.parent
        }
        return nil
    }

    private func cut(
        _ tile: TileID, outOf contents: [UInt8], at ancestor: TileID, of archive: ServedArchive
    ) throws(ServiceError) -> Payload? {
        let depth = tile.z - ancestor.z
        let part = TilePart(
            depth: depth, column: tile.x - ancestor.x << UInt32(depth),
            row: tile.y - ancestor.y << UInt32(depth))
        var builder = TileBuilder()
        do throws(TileError) {
            // Clusters may come apart at deeper zooms; single points stay the same.
            let counts = try TileFeatures(contents).counts()
            guard counts.values.allSatisfy(\.isEmpty) else { return nil }
            var layers = try TileReader(contents.span)
            while let layer = try layers.nextLayer() {
                try builder.append(pointsOf: layer, in: part, margin: archive.margin)
            }
        } catch {
            throw .damaged("tile \(ancestor): \(error)")
        }
        guard !builder.bytes.isEmpty else { return nil }
        var compressor = GzipCompressor()
        return Payload(compressor.compress(builder.bytes))
    }
}

extension ServedArchive {
    /// How many zooms below a tile may be left out because it shows the same; 0 if none are.
    fileprivate var coveredZooms: Int { described?.variableDepth ?? 0 }

    /// The margin around a tile in which its neighbours' points are drawn, in tiles.
    fileprivate var margin: Double { (described?.buffer ?? 0) / 512 }
}
