import ArchiveContract
import ClusterQueries
import Compression
import Foundation
import Geometry
import MadeArchives
import Testing
import TileArchive

/// Clusters that are exactly one leaf block each, where the kept hull of a block is all there is.
struct OneBlockTests {
    private static let size = LeafBlockLayout.mostLeaves
    /// Half of the world wide, so that the gap beside it is as wide; and a piece over the antimeridian,
    /// whose corners there the hull in the unit square does not have.
    private static let corners: [[(Double, Double)]] = [
        [(0.25, 0.4), (0.75, 0.4), (0.75, 0.6), (0.25, 0.6)],
        [(0.0, 0.4), (0.125, 0.4), (0.125, 0.6), (0.0, 0.6), (0.875, 0.4), (0.875, 0.6)],
    ]

    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "covey-block-\(UUID().uuidString)")

    private func archive() throws -> Archive {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "a.mbtiles").path
        var gzip = GzipCompressor(level: 1)
        let blocks = Self.corners.enumerated().map { block, places in
            let all = (0..<Int(Self.size)).map { index in
                let (x, y) = places[index % places.count]
                return GridPoint(WorldPoint(x: x, y: y))
            }
            let hull = GridHull(of: all).corners
            return (Int64(block), gzip.compress(all.leafBlock.span), hull)
        }
        let clusters = [0.5, 1.0].enumerated().map { block, x in
            ClusterRecord(
                key: ClusterKey(firstLeaf: Int64(block) * Self.size, zoom: 3),
                leafCount: Self.size, position: GridPoint(WorldPoint(x: x, y: 0.5)), parent: nil)
        }
        let description = ClusterDescription(
            layers: [
                .init(
                    name: "a", leaves: 0..<2 * Self.size, minZoom: 0, maxZoom: 3,
                    clustering: .init(radius: RadiusByZoom(50), algorithm: "spaced"))
            ], buffer: 8, ids: .placed)
        try OldArchive.write(
            to: path, description, idBase: SampleClusters.idBase, blocks: blocks,
            clusters: clusters)
        return try Archive(path: path)
    }

    @Test func `box and hull of a whole block are those of its points, also over the antimeridian`()
        throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        var query = try ClusterQuery(archive())
        let ids = (0..<2).map {
            SampleClusters.idBase + ClusterKey.bound(leaf: $0 * Self.size, zoom: 3)
        }
        let half = try query.box(of: ids[0])
        #expect(half.west == -90 && half.east == 90)
        let across = try query.box(of: ids[1])
        #expect(across.west == 135 && across.east == -135)
        for (id, span) in zip(ids, [0.25...0.75, 0.875...1.125]) {
            let hull = try query.hull(of: id)
            #expect(hull.count == 4)
            #expect(hull.map(\.x).min() == span.lowerBound)
            #expect(hull.map(\.x).max() == span.upperBound)
        }
    }
}
