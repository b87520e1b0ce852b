import ArchiveContract
import ClusterQueries
import Compression
import Foundation
import Geometry
import MadeArchives
import TestSupport
import Testing
import TileArchive

/// What blocks say together of a cluster's shape, against a look at each of its points.
struct OutlineTests {
    private static let blockSize = 6
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "covey-outline-\(UUID().uuidString)")

    private var path: String { folder.appending(path: "a.mbtiles").path }

    /// Writes an archive of these points in blocks of six, with a cluster of each of these ranges of them.
    /// - Returns: the ids of the clusters.
    private func write(
        _ places: [GridPoint], _ ranges: [Range<Int>], around center: GridPoint
    ) throws -> [Int64] {
        var gzip = GzipCompressor(level: 1)
        let starts = stride(from: 0, to: places.count, by: Self.blockSize)
        let blocks = starts.enumerated().map { number, start in
            let own = Array(places[start..<start + Self.blockSize])
            return (Int64(number), gzip.compress(own.leafBlock.span), GridHull(of: own).corners)
        }
        let clusters = ranges.enumerated().map { number, leaves in
            ClusterRecord(
                key: ClusterKey(firstLeaf: Int64(leaves.lowerBound), zoom: UInt8(number)),
                leafCount: Int64(leaves.count), position: center, parent: nil)
        }
        var description = ClusterDescription(
            layers: [
                .init(
                    name: "a", leaves: 0..<Int64(places.count), minZoom: 0, maxZoom: 9,
                    clustering: .init(radius: RadiusByZoom(50), algorithm: "spaced"))
            ], buffer: 8, ids: .placed)
        description.equalBlocks = Int64(Self.blockSize)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try OldArchive.write(
            to: path, description, idBase: SampleClusters.idBase, blocks: blocks,
            clusters: clusters)
        return clusters.map { SampleClusters.idBase + $0.key.packed }
    }

    /// Points in blocks each of which is so wide, around places that are so far apart.
    private static func places(
        _ count: Int, width: Double, seed: UInt64, towns: Int
    ) -> [GridPoint] {
        var random = SeededRandom(seed: seed)
        let centers = (0..<towns).map { _ in random.unit() }
        return (0..<count).flatMap { _ in
            let center = centers[Int(random.next() % UInt64(towns))]
            // Some blocks are as wide as is asked for, others a hundredth of it.
            let own = random.next() % 3 == 0 ? width : width / 100
            return (0..<blockSize).map { _ in
                let x = center + (random.unit() - 0.5) * own
                return GridPoint(
                    WorldPoint(x: x - x.rounded(.down), y: 0.2 + random.unit() * 0.6))
            }
        }
    }

    /// The narrowest box: it leaves out the widest of all gaps between neighbours.
    private static func narrowest(_ points: [GridPoint]) -> WorldBox {
        let xs = points.map(\.worldPoint.wrapped.x).sorted()
        let gaps = xs.indices.map { index in
            index == 0 ? xs[0] + 1 - xs[xs.count - 1] : xs[index] - xs[index - 1]
        }
        let widest = gaps.indices.max { gaps[$0] < gaps[$1] } ?? 0
        let ys = points.map(\.worldPoint.y)
        return WorldBox(
            minX: xs[widest], minY: ys.min() ?? 0, maxX: xs[widest] + 1 - gaps[widest],
            maxY: ys.max() ?? 0)
    }

    @Test(arguments: UInt64(0)..<40)
    func `the box is the narrowest around all points, wherever blocks begin and end`(
        seed: UInt64
    ) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let width = [0.01, 0.2, 0.5, 0.9][Int(seed % 4)]
        let places = Self.places(
            2 + Int(seed % 14), width: width, seed: seed, towns: 1 + Int(seed / 4 % 5))
        let end = places.count
        let ranges = [0..<end, 2..<end - 3, 6..<end, 0..<end - 6, 1..<3]
        let ids = try write(places, ranges, around: places[0])
        var query = try ClusterQuery(Archive(path: path))
        for (id, leaves) in zip(ids, ranges) {
            let box = try query.box(of: id)
            let wanted = Self.narrowest(Array(places[leaves])).lonLatBox
            for (side, known) in zip(
                [box.west, box.south, box.east, box.north],
                [wanted.west, wanted.south, wanted.east, wanted.north])
            { #expect(abs(side - known) < 1e-9, "\(leaves)") }
        }
    }

    @Test(arguments: [(16, 0.6...0.7), (17, 0.9...1.0)])
    func `no more than sixteen wide blocks are looked into`(
        count: Int, widths: ClosedRange<Double>
    ) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let places = (0..<count).flatMap { number in
            // The widest gap between points is 0.4, and the one beside a block 0.1.
            [0, 0.1, 0.2, 0.6, 0.7, 0.9].map { x in
                GridPoint(WorldPoint(x: x + Double(number) / 1_000, y: 0.5))
            }
        }
        let ids = try write(places, [0..<places.count], around: places[0])
        var query = try ClusterQuery(Archive(path: path))
        let box = try query.box(of: ids[0])
        #expect(widths.contains(box.width / 360))
    }

    @Test(arguments: UInt64(0)..<20)
    func `the hull is that of all points, laid out around the cluster`(seed: UInt64) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let width = [0.01, 0.3, 0.9][Int(seed % 3)]
        let places = Self.places(3 + Int(seed % 9), width: width, seed: seed, towns: 2)
        let (end, center) = (places.count, places[Int(seed % 12)])
        let ranges = [0..<end, 2..<end - 3, 4..<7]
        let ids = try write(places, ranges, around: center)
        var query = try ClusterQuery(Archive(path: path))
        let world = Int32(GridPoint.steps)
        for (id, leaves) in zip(ids, ranges) {
            let laidOut = places[leaves].map { point in
                var point = point
                while point.x - center.x > world / 2 { point.x -= world }
                while point.x - center.x < -world / 2 { point.x += world }
                return point
            }
            let hull = GridHull(of: laidOut).corners.map(\.worldPoint)
            #expect(try query.hull(of: id) == hull)
        }
    }
}
