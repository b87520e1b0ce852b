import ClusterQueries
import Compression
import Geometry
import HTTP
import TileArchive
import VectorTile

/// Tiles that were left out because an ancestor shows the same (`--variable-depth`): each is cut out
/// of that, so that a client need know nothing of it.
extension TileService {
    /// The tile as the archive would have it, gzip; nil if no ancestor stands for it, or nothing of that
    /// lies in it.
    func coveredTile(
        _ tile: TileID, of archive: ServedArchive
    ) throws(ServiceError) -> Payload? {
        var next = tile.parent
        while let ancestor = next, Int(ancestor.z) >= archive.zooms.lowerBound,
            Int(tile.z - ancestor.z) <= archive.coveredZooms
        {
            let contents = try archive.withTiles { reader throws(ServiceError) in
                try archive.reading { () throws(ArchiveError) in
                    try reader.inflatedTile(at: ancestor, limit: Self.largestTile)
                }
            }
            if let contents { return try cut(tile, outOf: contents, at: ancestor, of: archive) }
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
            // Clusters may come apart below; points alone stay as they are.
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
    /// How many zooms below a tile may be left out because it shows the same; 0 where none are.
    fileprivate var coveredZooms: Int { (try? archive.description?.get())?.variableDepth ?? 0 }

    /// How far around a tile its neighbours' points are drawn, in tiles.
    fileprivate var margin: Double {
        ((try? archive.description?.get())?.buffer ?? 0) / ClusterMargin.pixelsOfTile
    }
}

private enum ClusterMargin {
    /// What the buffer that an archive tells of is counted in.
    static let pixelsOfTile = 512.0
}
