import ArchiveContract
import Compression
import Foundation
import Geometry
import JSON
import MadeArchives
import TestSupport
import TileArchive
import VectorTile

/// A small archive as Covey makes them, built without Covey's own clustering: at each zoom the
/// points of one cell of a quadtree are a cluster. In the order of the cells each cluster is an
/// interval of points, so the hierarchy needs no bookkeeping.
struct SampleArchive {
    struct Point {
        var place: GridPoint
        var name: String
        /// The cell at the finest level, as a Morton number: two bits a level.
        var cell: UInt64
    }

    let points: [Point]
    /// What each zoom draws: intervals of points.
    private(set) var levels: [[Range<Int>]] = []
    /// The clusters and the deepest zoom that draws each.
    private(set) var formed: [Range<Int>: Int] = [:]
    static let maxZoom = 5
    static let clusterMaxZoom = 4
    static let idBase: Int64 = 512
    /// Cells of a zoom are an eighth of a tile wide.
    private static let cellsPerTile = 3
    private static let cellLevels = maxZoom + cellsPerTile

    init(points count: Int, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        points = (0..<count).map { number in
            // Crowded near the middle; only whole steps of 2^-30 are the same at all zooms.
            let x = 0.5 + (random.unit() - 0.5) * random.unit()
            let y = 0.3 + (random.unit() - 0.3) * random.unit() * 0.9
            let place = GridPoint(WorldPoint(x: x, y: y))
            return Point(place: place, name: "p\(number)", cell: Self.cell(of: place))
        }.sorted { ($0.cell, $0.name) < ($1.cell, $1.name) }
        for zoom in 0...Self.maxZoom {
            levels.append(nodes(at: zoom))
            for node in levels[zoom] where node.count > 1 { formed[node] = zoom }
        }
    }

    private static func cell(of place: GridPoint) -> UInt64 {
        var cell: UInt64 = 0
        for level in 1...cellLevels {
            let shift = Int32(30 - level)
            let (x, y) = (UInt64(place.x >> shift & 1), UInt64(place.y >> shift & 1))
            cell = cell << 2 | y << 1 | x
        }
        return cell
    }

    private func nodes(at zoom: Int) -> [Range<Int>] {
        guard zoom <= Self.clusterMaxZoom else { return points.indices.map { $0..<($0 + 1) } }
        let shift = UInt64(2 * (Self.cellLevels - zoom - Self.cellsPerTile))
        var nodes: [Range<Int>] = []
        for (number, point) in points.enumerated() {
            if let last = nodes.last, points[last.lowerBound].cell >> shift == point.cell >> shift {
                nodes[nodes.count - 1] = last.lowerBound..<(number + 1)
            } else {
                nodes.append(number..<(number + 1))
            }
        }
        return nodes
    }

    /// The clusters in the order of their ids.
    var clusters: [ClusterRecord] {
        // Each comes behind those around it, of which the last that still goes on is the next one.
        let nested = formed.sorted { ($0.key.lowerBound, $0.value) < ($1.key.lowerBound, $1.value) }
        var around: [ClusterKey] = []
        var ends: [Int] = []
        return nested.map { leaves, zoom in
            while let end = ends.last, end <= leaves.lowerBound {
                ends.removeLast()
                around.removeLast()
            }
            let record = ClusterRecord(
                key: .init(firstLeaf: Int64(leaves.lowerBound), zoom: UInt8(zoom)),
                leafCount: Int64(leaves.count), position: place(of: leaves), parent: around.last)
            ends.append(leaves.upperBound)
            around.append(record.key)
            return record
        }.sorted { $0.key < $1.key }
    }

    func place(of leaves: Range<Int>) -> GridPoint {
        let x = points[leaves].reduce(0) { $0 + Int($1.place.x) } / leaves.count
        let y = points[leaves].reduce(0) { $0 + Int($1.place.y) } / leaves.count
        return GridPoint(x: Int32(x), y: Int32(y))
    }
}

extension SampleArchive {
    /// Writes the archive, in format 2.
    func write(to path: String) throws {
        // Stored, not compressed: sizes do not depend on the compressor's version.
        var gzip = GzipCompressor(level: 0)
        let tiles = (0...Self.maxZoom).flatMap { zoom in
            self.tiles(at: zoom).map { ($0.0, gzip.compress($0.1.span)) }
        }
        let size = Int(LeafBlockLayout.mostLeaves)
        let blocks = stride(from: 0, to: points.count, by: size).enumerated().map { number, first in
            let part = points[first..<min(first + size, points.count)]
            let hull = GridHull(of: part.map(\.place)).corners
            return (Int64(number), gzip.compress(leafBlock(part).span), hull)
        }
        try OldArchive.write(
            to: path, metadata, tiles: tiles, blocks: blocks, clusters: clusters)
    }

    private func leafBlock(_ part: ArraySlice<Point>) -> [UInt8] {
        var builder = TileBuilder()
        let name = builder.key("name")
        builder.beginLayer("sample", extent: 1 << 30)
        for point in part {
            builder.beginPoint(id: nil, x: point.place.x, y: point.place.y)
            builder.addTag(name, .string(point.name))
            builder.endFeature()
        }
        builder.endLayer()
        return builder.copyBytes()
    }

    /// The tiles of a zoom in key order, copies in margins of 8 pixels (64 of 4096) included.
    private func tiles(at zoom: Int) -> [(TileID, [UInt8])] {
        var features: [TileID: [(leaves: Range<Int>, x: Int32, y: Int32)]] = [:]
        let last = (1 << zoom) - 1
        let bits = 30 - zoom - 12
        for leaves in levels[zoom] {
            let place = place(of: leaves)
            // The nearest unit; halves round up.
            let x = (Int(place.x) + 1 << (bits - 1)) >> bits
            let y = min((Int(place.y) + 1 << (bits - 1)) >> bits, (last + 1) << 12 - 1)
            for (east, south) in Self.tilesAround(x & 4095, y & 4095) {
                let column = x >> 12 + east
                let row = y >> 12 + south
                guard row >= 0, row <= last, zoom > 0 || (east, south) == (0, 0) else { continue }
                let tile = TileID(z: UInt8(zoom), x: UInt32(column & last), y: UInt32(row))
                features[tile, default: []].append(
                    (leaves, Int32(x - column << 12), Int32(y - row << 12)))
            }
        }
        return features.keys.sorted { ($0.x, $0.tmsRow) < ($1.x, $1.tmsRow) }.map {
            ($0, encode(features[$0] ?? []))
        }
    }

    /// The tile itself and the neighbours whose margins reach a place.
    private static func tilesAround(_ x: Int, _ y: Int) -> [(Int, Int)] {
        func sides(_ place: Int) -> [Int] {
            place <= 64 ? [0, -1] : place >= 4096 - 64 ? [0, 1] : [0]
        }
        return sides(x).flatMap { east in sides(y).map { (east, $0) } }
    }

    private func encode(_ features: [(leaves: Range<Int>, x: Int32, y: Int32)]) -> [UInt8] {
        var builder = TileBuilder()
        builder.beginLayer("sample")
        for feature in features {
            let id = feature.leaves.count > 1 ? self.id(of: feature.leaves) : nil
            builder.beginPoint(id: id.map { UInt64($0) }, x: feature.x, y: feature.y)
            if let id {
                let count = UInt64(feature.leaves.count)
                builder.addTag(builder.key("cluster"), .bool(true))
                builder.addTag(builder.key("cluster_id"), .uint(UInt64(id)))
                builder.addTag(builder.key("point_count"), .uint(count))
                builder.addTag(
                    builder.key("point_count_abbreviated"), .string(Self.abbreviated(count)))
                builder.addTag(
                    builder.key("expansion_zoom"), .uint(UInt64((id - Self.idBase) % 32 + 1)))
            } else {
                builder.addTag(
                    builder.key("name"), .string(points[feature.leaves.lowerBound].name))
            }
            builder.endFeature()
        }
        builder.endLayer()
        return builder.copyBytes()
    }

    func id(of leaves: Range<Int>) -> Int64 {
        Self.idBase
            + ClusterKey.bound(leaf: Int64(leaves.lowerBound), zoom: formed[leaves] ?? 0)
    }

    private static func abbreviated(_ count: UInt64) -> String {
        guard count >= 1_000 else { return "\(count)" }
        let tenths = (count + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10)k" : "\(tenths / 10).\(tenths % 10)k"
    }

    private var metadata: ArchiveMetadata {
        var metadata = ArchiveMetadata(name: "Sample")
        var box = WorldBox.empty
        for point in points { box.include(point.place.worldPoint) }
        metadata.minZoom = 0
        metadata.maxZoom = UInt8(Self.maxZoom)
        metadata.bounds = box.lonLatBox
        metadata.center = box.lonLatBox.center
        metadata.generator = "covey tests"
        metadata.vectorLayers = [
            VectorLayer(
                id: "sample",
                fields: [
                    .init("cluster", .boolean), .init("cluster_id", .number),
                    .init("expansion_zoom", .number), .init("name", .string),
                    .init("point_count", .number), .init("point_count_abbreviated", .string),
                ], minZoom: 0, maxZoom: UInt8(Self.maxZoom))
        ]
        let layer = ClusterDescription.Layer(
            name: "sample", leaves: 0..<Int64(points.count), minZoom: 0,
            maxZoom: Self.clusterMaxZoom,
            clustering: .init(radius: RadiusByZoom(50), algorithm: "grid"))
        metadata.covey = OldArchive.account(
            ClusterDescription(layers: [layer], buffer: 8, ids: .placed), idBase: Self.idBase)
        return metadata
    }
}
