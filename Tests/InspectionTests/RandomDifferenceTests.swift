import Foundation
import Geometry
import MessageTiles
import TestSupport
import Testing
import TileArchive
import VectorTile

@testable import Inspection

/// Differences of random archives, held against a look at each tile of both.
final class RandomDifferenceTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "covey-random-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Contents of a few features each, some of which differ in their bytes alone.
    private struct Content: Hashable {
        var numbers: [UInt64]
        var isTurned: Bool

        var bytes: [UInt8] {
            let features = numbers.map { number in
                let tags: [MessageTiles.Tile.Tag] = [
                    .init("n", .uint(number)), .init("m", .bool(true)),
                ]
                return MessageTiles.Tile.Feature(
                    .points([.init(x: 1, y: 2)]), tags: isTurned ? tags.reversed() : tags)
            }
            return MessageTiles.Tile(layers: [.init(name: "l", features: features)]).packed()
        }
    }

    private typealias Tiles = [TileID: Content]

    private func archive(_ name: String, _ tiles: Tiles) throws -> Archive {
        let path = folder.appending(path: name).path
        let container = try #require(ArchiveContainers.container(named: path))
        let sink = try container.sink(to: path, options: SinkOptions())
        for (tile, content) in tiles.sorted(by: { $0.key.hilbertID < $1.key.hilbertID }) {
            let bytes = content.bytes
            try sink.write([tile], gzip: bytes.span, ends: [bytes.count])
        }
        var metadata = ArchiveMetadata(name: "same")
        (metadata.minZoom, metadata.maxZoom) = (0, 3)
        metadata.bounds = LonLatBox(west: 1, south: 1, east: 2, north: 2)
        try sink.finish(metadata)
        return try Archive(path: path)
    }

    /// Runs of tiles with the same contents, so that archives along the curve keep them together.
    private static func tiles(using random: inout SeededRandom) -> Tiles {
        var tiles: Tiles = [:]
        for zoom in UInt8(0)...3 {
            let all = UInt64(1) << (2 * UInt64(zoom))
            var next: UInt64 = 0
            while next < all {
                let end = min(all, next + UInt64.random(in: 1...9, using: &random))
                let content = content(using: &random)
                if random.next() % 3 != 0 {
                    let run = TileRun(zoom: zoom, distances: next..<end)
                    for distance in run.distances { tiles[run.tile(at: distance)] = content }
                }
                next = end
            }
        }
        return tiles
    }

    private static func content(using random: inout SeededRandom) -> Content {
        let count = Int(random.next() % 4)
        return Content(
            numbers: (0..<count).map { _ in random.next() % 3 }, isTurned: random.next() % 2 == 0)
    }

    /// Zoom by zoom, as the account of a difference has it.
    private static func counts(_ a: Tiles, _ b: Tiles, zoom: UInt8) -> [Int] {
        var counts = [Int](repeating: 0, count: 7)
        for tile in Set(a.keys).union(b.keys) where tile.z == zoom {
            guard let left = a[tile], let right = b[tile] else {
                counts[a[tile] == nil ? 4 : 3] += 1
                counts[a[tile] == nil ? 6 : 5] += (a[tile] ?? b[tile])!.numbers.count
                continue
            }
            if left.bytes == right.bytes {
                counts[0] += 1
            } else if left.numbers == right.numbers {
                counts[1] += 1
            } else {
                counts[2] += 1
                for number in UInt64(0)..<3 {
                    let more =
                        left.numbers.count { $0 == number } - right.numbers.count { $0 == number }
                    counts[5] += max(more, 0)
                    counts[6] += max(-more, 0)
                }
            }
        }
        return counts
    }

    @Test(arguments: UInt64(0)..<10, [("pmtiles", "pmtiles"), ("mbtiles", "pmtiles")])
    func `each zoom is counted as a look at each tile counts it`(
        seed: UInt64, kinds: (String, String)
    ) throws {
        var random = SeededRandom(seed: seed)
        let a = Self.tiles(using: &random)
        // Much of the other is the same.
        var b = a
        for (tile, content) in Self.tiles(using: &random) where random.next() % 3 == 0 {
            b[tile] = content
        }
        for tile in a.keys.sorted() where random.next() % 6 == 0 { b[tile] = nil }
        var told: [String: Set<TileID>] = [:]
        let difference = try ArchiveDifference(
            archive("a.\(kinds.0)", a), archive("b.\(kinds.1)", b)
        ) { group, change in told[change.rawValue, default: []].formUnion(group.tiles) }
        for zoom in difference.zooms {
            let found = [
                zoom.sameTiles, zoom.repackedTiles, zoom.changedTiles, zoom.onlyInA, zoom.onlyInB,
                zoom.featuresOnlyInA, zoom.featuresOnlyInB,
            ]
            #expect(found == Self.counts(a, b, zoom: UInt8(zoom.zoom)), "zoom \(zoom.zoom)")
            let other = Set(a.keys).union(b.keys).filter {
                Int($0.z) == zoom.zoom && a[$0]?.bytes != b[$0]?.bytes
            }
            #expect(zoom.first == other.min { $0.comesInKeys(before: $1) })
            #expect(zoom.differs == !other.isEmpty)
        }
        let zooms = Set(a.keys.map(\.z)).union(b.keys.map(\.z))
        #expect(difference.zooms.map(\.zoom) == zooms.map(Int.init).sorted())
        #expect(told["removed"] ?? [] == Set(a.keys).subtracting(b.keys))
        #expect(told["added"] ?? [] == Set(b.keys).subtracting(a.keys))
        let both = Set(a.keys).intersection(b.keys).filter { a[$0]?.bytes != b[$0]?.bytes }
        #expect(told["repacked"] ?? [] == both.filter { a[$0]?.numbers == b[$0]?.numbers })
        #expect(told["changed"] ?? [] == both.filter { a[$0]?.numbers != b[$0]?.numbers })
    }
}
