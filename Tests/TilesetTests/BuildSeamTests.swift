import Foundation
import Geometry
import JSON
import ParallelColumns
import Recipes
import TestSupport
import Testing
import Tileset

/// A whole build whose work is cut into pieces, against one whose work is not: rows of the table, cells
/// of the grid, tiles and blocks lie across the ends of pieces.
struct BuildSeamTests {
    /// A slow build still cuts into two pieces or more; a quick one into all that there are.
    #if DEBUG
        static let count = 17_000
        static let algorithms = ["spaced"]
    #else
        static let count = 130_000
        static let algorithms = ["spaced", "greedy", "grid"]
    #endif

    /// Two layers, so that pieces end within either, and an input in two files.
    private static func build(threads: Int, in folder: URL, _ clusters: JSONValue) throws -> Data {
        let path = folder.appending(path: "\(threads).mbtiles").path
        let recipe = try Recipe(
            reading: JSONNode([
                "tiles": ["maxZoom": 8, "buffer": 32, "maxFeatures": 500],
                "layers": [
                    ["name": "a", "sources": ["a.geojsonl", "b.csv"], "clusters": clusters],
                    ["name": "b", "sources": ["b.csv"], "clusters": false],
                ],
            ]))
        var options = BuildOptions()
        options.threads = threads
        options.sourceDirectory = folder.path
        let report = try TilesetBuild(recipe, to: path, options: options).run()
        #expect(report.layers[0].heldClusters > 0)
        #expect(report.zooms.allSatisfy { $0.pointCount == count + count / 4 })
        return try Data(contentsOf: URL(filePath: path))
    }

    private static func write(to folder: URL) throws {
        let points = SamplePoint.towns(count, seed: 61)
        let lines = points.dropFirst(count / 4).map(\.line)
        try lines.joined(separator: "\n").write(
            to: folder.appending(path: "a.geojsonl"), atomically: true, encoding: .utf8)
        let rows = points.prefix(count / 4).map { point in
            let (n, kind) = (point.properties[0].1, point.properties[1].1.asString ?? "")
            return "\(point.place.longitude),\(point.place.latitude),\(n.asNumber ?? 0),\"\(kind)\""
        }
        try (["longitude,latitude,n,kind"] + rows).joined(separator: "\n").write(
            to: folder.appending(path: "b.csv"), atomically: true, encoding: .utf8)
    }

    @Test(arguments: algorithms)
    func `one thread and eight build the same archive, byte for byte`(algorithm: String) throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.write(to: folder)
        let clusters: JSONValue = [
            "algorithm": .string(algorithm), "maxZoom": 5, "radius": 40,
            "aggregates": ["mean": "mean:n", "kinds": "distinct:kind"],
        ]
        let one = try Self.build(threads: 1, in: folder, clusters)
        #expect(try Self.build(threads: 8, in: folder, clusters) == one)
    }

    @Test func `nodes lie along the curve in the same order, however the sort is cut`() {
        func nodes(threads: Int) -> TileNodes {
            let workers = Workers(threads, scratch: Arena())
            let unsorted = ZoomLayoutTests.nodes(Self.count, seed: 8, in: workers.scratch)
            return TileNodes(unsorted, maxZoom: 9, workers: workers, precedes: <)
        }
        let (one, eight) = (nodes(threads: 1), nodes(threads: 8))
        #expect(one.count == Self.count && eight.count == Self.count)
        #expect(Set((0..<one.count).map { one.numbers[$0] }).count == Self.count)
        var last: UInt64 = 0
        for row in 0..<one.count {
            #expect(eight.numbers[row] == one.numbers[row])
            #expect(eight.xs[row] == one.xs[row] && eight.ys[row] == one.ys[row])
            #expect(eight.shallowest[row] == one.shallowest[row])
            #expect(eight.deepest[row] == one.deepest[row])
            let cell = Hilbert.distance(x: one.xs[row] >> 23, y: one.ys[row] >> 23, order: 9)
            #expect(last <= cell)
            last = cell
        }
    }
}
