import ArchiveContract
import Compression
import Foundation
import Geometry
import MadeArchives
import TestSupport
import TileArchive
import VectorTile

/// An archive of two hierarchies whose clusters are intervals of fixed lengths: one lies across the
/// antimeridian in leaf order from west to east, the other is scattered around most of the world.
final class SampleClusters: Sendable {
    static let block = Int(LeafBlockLayout.mostLeaves)
    /// Five blocks, so that each hierarchy has whole ones and a part of one.
    static let count = 5 * block
    /// Above the ids of all points.
    static let idBase = Int64((count + 7) / 32 + 1) * 32
    /// How many leaves the clusters have that form at these zooms.
    static let sizes = [
        (zoom: 0, leaves: count / 2), (zoom: 3, leaves: count / 10),
        (zoom: 6, leaves: count / 100),
    ]

    let folder: URL
    let places: [GridPoint]
    let clusters: [ClusterRecord]

    init(seed: UInt64 = 3) throws {
        var random = SeededRandom(seed: seed)
        let half = Self.count / 2
        let across = (0..<half).map { _ in 0.94 + 0.13 * random.unit() }.sorted()
        let around = (0..<half).map { _ in 0.2 + 0.65 * random.unit() }
        let places = (across + around).map { x in
            // On the grid of leaf blocks, so that nothing is lost on the way.
            GridPoint(WorldPoint(x: x, y: 0.2 + 0.5 * random.unit()).wrapped)
        }
        self.places = places
        folder = FileManager.default.temporaryDirectory.appending(
            path: "covey-clusters-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        clusters = Self.sizes.indices.flatMap { level in
            stride(from: 0, to: Self.count, by: Self.sizes[level].leaves).map {
                Self.cluster(from: $0, level: level, of: places)
            }
        }.sorted { $0.key < $1.key }
        try write()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var archive: Archive {
        get throws { try Archive(path: folder.appending(path: "a.mbtiles").path) }
    }

    private static func cluster(
        from first: Int, level: Int, of places: [GridPoint]
    ) -> ClusterRecord {
        let (zoom, count) = sizes[level]
        let xs = places[first..<(first + count)].map { place in
            // The first half is one piece from 0.94 on.
            place.worldPoint.x + (first < Self.count / 2 && place.worldPoint.x < 0.5 ? 1 : 0)
        }
        let middle = WorldPoint(x: xs.reduce(0, +) / Double(count), y: 0.45)
        let parent = level == 0 ? nil : first - first % Self.sizes[level - 1].leaves
        return ClusterRecord(
            key: .init(firstLeaf: Int64(first), zoom: UInt8(zoom)), leafCount: Int64(count),
            position: GridPoint(middle),
            parent: parent.map {
                .init(firstLeaf: Int64($0), zoom: UInt8(Self.sizes[level - 1].zoom))
            })
    }

    private func write() throws {
        var gzip = GzipCompressor(level: 1)
        let blocks = stride(from: 0, to: Self.count, by: Self.block).map { first in
            let part = first..<min(first + Self.block, Self.count)
            let hull = GridHull(of: Array(places[part])).corners
            return (Int64(first / Self.block), gzip.compress(block(part).span), hull)
        }
        let description = ClusterDescription(
            layers: [
                .init(
                    name: "sample", leaves: 0..<Int64(Self.count), minZoom: 0, maxZoom: 6,
                    clustering: .init(radius: RadiusByZoom(50), algorithm: "spaced"))
            ], buffer: 8, ids: .placed)
        try OldArchive.write(
            to: folder.appending(path: "a.mbtiles").path, description, idBase: Self.idBase,
            tiles: [(TileID(z: 0, x: 0, y: 0), gzip.compress(block(0..<1).span))],
            blocks: blocks, clusters: clusters)
    }

    private func block(_ part: Range<Int>) -> [UInt8] {
        var builder = TileBuilder()
        let key = builder.key("number")
        // A block may hold several layers; leaves are counted through them.
        for piece in [part.prefix(part.count / 3), part.dropFirst(part.count / 3)] {
            guard let first = piece.first else { continue }
            builder.beginLayer("from \(first)", extent: 1 << 30)
            for leaf in piece {
                builder.beginPoint(id: UInt64(leaf) + 7, x: places[leaf].x, y: places[leaf].y)
                builder.addTag(key, .uint(UInt64(leaf)))
                builder.endFeature()
            }
            builder.endLayer()
        }
        return builder.copyBytes()
    }

    func id(of cluster: ClusterRecord) -> Int64 { Self.idBase + cluster.key.packed }

    /// The points of a cluster, wrapped.
    func points(of cluster: ClusterRecord) -> [WorldPoint] {
        places[Int(cluster.leaves.lowerBound)..<Int(cluster.leaves.upperBound)].map(\.worldPoint)
    }
}

extension [GridPoint] {
    /// A block of these points without attributes.
    var leafBlock: [UInt8] {
        var builder = TileBuilder()
        builder.beginLayer("a", extent: LeafBlockLayout.extent)
        for point in self {
            builder.beginPoint(id: nil, x: point.x, y: point.y)
            builder.endFeature()
        }
        builder.endLayer()
        return builder.copyBytes()
    }
}
