import Clustering
import Foundation
import Geometry
import JSON
import Points
import TestSupport
import Testing

@testable import Tileset

/// Tiles that a job takes from the one before, as they show the same.
struct FormerTilesTests {
    private let builds: CellBuildTests.Builds
    private let job: CellJob

    init() throws {
        builds = try CellBuildTests.Builds(
            [
                (
                    SamplePoint.towns(60, seed: 7),
                    [
                        "clusters": [
                            "radius": 40,
                            "fields": ["point_weight", "bbox", "unique_location"],
                        ]
                    ]
                )
            ], tiles: ["maxZoom": 3, "heat": true])
        job = try builds.tiled(zoom: 1).job
    }

    /// Three points, of which two are a cluster to zoom 1.
    private func nodes() -> CellNodes {
        var nodes = CellNodes(keys: keys())
        nodes.nodes.leafParentZooms = Column([1, 1, -1])
        nodes.nodes.firsts = Column([0])
        nodes.nodes.leaves = Column([2])
        nodes.nodes.zooms = Column([1])
        nodes.nodes.parentZooms = Column([-1])
        nodes.nodes.xs = Column([0.25])
        nodes.nodes.ys = Column([0.25])
        nodes.nodes.weights = Column([2])
        nodes.ids = Column([1 << 52])
        for edge in [0.2, 0.2, 0.3, 0.3] { nodes.traits.boxes.append(edge) }
        nodes.traits.sites = Column([0])
        nodes.points = points([("n", 1), ("m", 5)], ids: [1, 2, 3])
        nodes.records = record(["sum": 3])
        return nodes
    }

    /// The same numbers for the same names in all tables.
    private func keys() -> AttributeKeys {
        let keys = AttributeKeys()
        for name in ["n", "m", "k", "sum", "total"] { _ = keys.intern(name) }
        return keys
    }

    private func points(_ last: [(String, Int64)], ids: [UInt64]) -> PointTable {
        var (points, batch) = (PointTable(keys: keys()), PointBatch())
        for (number, id) in ids.enumerated() {
            for (name, value) in number == 2 ? last : [("n", 7)] {
                batch.records.append(points.attributes.keys.intern(name), integer: value)
            }
            batch.append(WorldPoint(x: 0.21 + 0.25 * Double(number), y: 0.21), id: id)
        }
        points.append(batch)
        return points
    }

    private func record(_ values: KeyValuePairs<String, Int64>) -> AttributeTable {
        var (table, record) = (AttributeTable(keys: keys()), RecordBuilder())
        for (name, value) in values { record.append(table.keys.intern(name), integer: value) }
        table.append(record.bytes, ends: [UInt32(record.byteCount)].span)
        return table
    }

    private struct Drawn: Equatable {
        let bytes: [UInt8]
        let sum: UInt64?
    }

    private func tiles(
        of nodes: CellNodes, withSums: Bool = true, former: FormerTiles? = nil
    ) throws -> [TileID: Drawn] {
        let drawn = job.drawn([nodes])
        let all = drawn.nodes(maxZoom: 3, threads: 1)
        let batches = TileBatches(
            of: all, grids: (0...3).map { job.zooms.grid(at: $0) }, order: .alongHilbertCurve, nil)
        var encoder = TileEncoder(
            drawing: drawn, nodes: all, compression: 6,
            sums: withSums ? NodeSums(of: drawn, threads: 1) : nil, former: former)
        var tiles: [TileID: Drawn] = [:]
        while let batch = batches.next() {
            let encoded = try encoder.encode(batch)
            var start = 0
            for entry in encoded.entries {
                tiles[entry.tile] = Drawn(
                    bytes: Array(encoded.bytes[start..<entry.end]), sum: entry.sum)
                start = entry.end
            }
        }
        return tiles
    }

    @Test func `tiles have the same sum where they show the same, and only there`() throws {
        let usual = try tiles(of: nodes())
        #expect(usual.count > 4 && usual.values.allSatisfy { $0.sum != nil })
        #expect(try tiles(of: nodes()) == usual)
        #expect(try tiles(of: nodes(), withSums: false).values.allSatisfy { $0.sum == nil })
        let changes: [(inout CellNodes) -> Void] = [
            { $0.ids = Column([1 << 52 + 32]) }, { $0.nodes.leaves = Column([3]) },
            { $0.nodes.xs = Column([0.26]) }, { $0.nodes.ys = Column([0.26]) },
            { $0.nodes.weights = Column([3]) }, { $0.traits.sites = Column([1]) },
            { $0.traits.boxes = Column([0.2, 0.2, 0.3, 0.4]) },
            { $0.records = record(["sum": 4]) }, { $0.records = record(["total": 3]) },
            { $0.points = points([("n", 2), ("m", 5)], ids: [1, 2, 3]) },
            { $0.points = points([("n", 1), ("k", 5)], ids: [1, 2, 3]) },
            // In another order, as tiles have them.
            { $0.points = points([("m", 5), ("n", 1)], ids: [1, 2, 3]) },
            { $0.points = points([("n", 1), ("m", 5)], ids: [1, 2, 4]) },
            { $0.nodes.zooms = Column([2]) },
        ]
        for (index, change) in changes.enumerated() {
            var other = nodes()
            change(&other)
            let tiles = try tiles(of: other)
            let differs = tiles != usual
            #expect(differs, "\(index)")
            for (tile, drawn) in tiles {
                guard let old = usual[tile] else { continue }
                #expect((drawn.bytes == old.bytes) == (drawn.sum == old.sum), "\(index): \(tile)")
            }
        }
    }

    @Test func `a tile is taken where it showed the same, and made where it did not`() throws {
        // A file whose tiles are not what their sums say.
        let path = builds.path("former")
        let shown = try tiles(of: nodes())
        let order = shown.keys.sorted { $0.hilbertID < $1.hilbertID }
        var writer = try TilePartWriter(path, job)
        for (number, tile) in order.enumerated() {
            var part = EncodedTiles(grid: job.zooms.grid(at: tile.z))
            part.bytes = Array(repeating: UInt8(number), count: number + 1)
            var entry = EncodedTiles.Entry(tile: tile, features: 1)
            entry.sum = try #require(shown[tile]?.sum) ^ (number % 3 == 0 ? 1 : 0)
            part.append(entry)
            try writer.append(part)
        }
        try writer.finish(DrawnBoxes(), leftOut: [:], [SortedIDs()], inputs: nil)
        let former = try #require(FormerTiles(path, job))
        let taken = try tiles(of: nodes(), former: former)
        for (number, tile) in order.enumerated() {
            let made = Array(repeating: UInt8(number), count: number + 1)
            #expect(taken[tile]?.bytes == (number % 3 == 0 ? shown[tile]?.bytes : made))
            #expect(taken[tile]?.sum == shown[tile]?.sum)
        }
        var reader = former
        #expect(reader.bytes(of: TileID(z: 9, x: 0, y: 0), showing: 5) == nil)
        // A damaged file, or none, gives nothing.
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count - 20] ^= 1
        try bytes.write(to: URL(filePath: path))
        #expect(FormerTiles(path, job) == nil && FormerTiles(path + "x", job) == nil)
    }
}
