import Foundation
import Geometry
import JSON
import Points
import Recipes
import Testing

@testable import Tileset

/// When points are taken out of memory, to the byte.
struct PointMemoryTests {
    private static let least = CellForecast.least()

    /// Whether a build takes points from the start.
    private static func takes(
        _ layer: JSONObject = [:], tiles: JSONValue = [:], points: Int, allowed: Int,
        isForced: Bool = false
    ) throws -> Bool {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a.csv").path
        // A line is a point, for 410 bytes of memory.
        try Data(repeating: UInt8(ascii: "\n"), count: points).write(to: URL(filePath: path))
        var layer = layer
        layer["name"] = "a"
        layer["sources"] = [.string(path)]
        let recipe = try Recipe(
            reading: JSONNode(["layers": [.object(layer)], "tiles": tiles]))
        var options = BuildOptions()
        options.cells.zoom = isForced ? 1 : nil
        options.temporaryDirectory = folder.path
        let build = TilesetBuild(recipe, to: "", options: options)
        let store = try build.pointStore(
            AttributeKeys(), MemoryLimit(allowed: allowed, threads: 2, used: { 0 }))
        return store.isTaking
    }

    @Test func `points are taken where they do not fit, and a cell does`() throws {
        let points = 1_100_000
        let needed = points * 210 + (150 << 20)
        #expect(needed > Self.least && MemoryForecast(points: 0, tableBytes: 0).bytes == 0)
        for (allowed, isTaken) in [
            (needed, false), (needed - 1, true), (Self.least + 1, true), (Self.least, true),
            (Self.least - 1, false), (1, false),
        ] {
            let takes = try Self.takes(points: points, allowed: allowed)
            #expect(takes == isTaken, "\(allowed)")
        }
    }

    @Test func `what clusters carry counts before points are read, as far as it is known`() throws {
        let points = 1_100_000
        let layer: JSONObject = [
            "clusters": ["aggregates": ["a": "sum:n", "b": "mode:k"], "inherit": ["k"]]
        ]
        let needed = points * (210 + 3 * 32 * 2 / 5) + (150 << 20)
        #expect(try !Self.takes(layer, points: points, allowed: needed))
        #expect(try Self.takes(layer, points: points, allowed: needed - 1))
    }

    @Test func `all points are taken at the end if what clusters carry is too much`() throws {
        let build = TilesetBuild(
            try Recipe(reading: JSONNode(["layers": [["name": "a", "sources": ["a.csv"]]]])), to: ""
        )
        let store = try PointStore(
            build.recipe, AttributeKeys(), BuildOptions(), always: false,
            makeFolder: { () throws(JobError) in try JobFolder(temporaryIn: "/nowhere") },
            mustTake: { points, bytes in bytes > 1_000 * points })
        let (table, _) = Self.table(10)
        store.keeps(table)
        store.takeAllIfTooMuch(bytes: 10_000 - table.byteCount)
        #expect(!store.isTaking)
        store.takeAllIfTooMuch(bytes: 10_001 - table.byteCount)
        #expect(store.isTaking)
    }

    @Test func `what cannot be cut is not, however large`() throws {
        let points = 1_100_000
        let (bins, raw): (JSONValue, JSONObject) = (["bins": "square"], ["clusters": false])
        #expect(try !Self.takes(tiles: bins, points: points, allowed: Self.least))
        #expect(try !Self.takes(raw, points: points, allowed: Self.least))
        #expect(throws: JobError.self) {
            try Self.takes(raw, points: 1, allowed: 1 << 40, isForced: true)
        }
    }

    @Test func `what is to be cut is, however small, and whatever memory there is`() throws {
        #expect(try Self.takes(points: 1, allowed: 1 << 40, isForced: true))
        #expect(try Self.takes(points: 1, allowed: 1, isForced: true))
        #expect(try !Self.takes(points: 1, allowed: 1 << 40))
    }

    /// Points with records of ten bytes each.
    private static func table(_ count: Int) -> (table: PointTable, recordBytes: Int) {
        var (table, batch) = (PointTable(), PointBatch())
        let key = table.attributes.keys.intern("n")
        for _ in 0..<count {
            batch.records.append(key, .string("12345"))
            batch.append(WorldPoint(x: 0.5, y: 0.5))
        }
        table.append(batch)
        return (table, table.attributes[0].bytes.count)
    }

    @Test func `a run ends at so many points, or with the point that makes its bytes full`() {
        let (table, size) = Self.table(10)
        #expect(size > 1 && table.attributes.recordBytes == 10 * size)
        func first(_ rows: Int, _ bytes: Int, in range: Range<Int>? = nil) -> Range<Int>? {
            PointRuns(rows: rows, bytes: bytes).first(of: table, in: range)
        }
        // By their number.
        #expect(first(11, 1_000) == nil && first(10, 1_000) == 0..<10 && first(3, 1_000) == 0..<3)
        #expect(first(3, 1_000, in: 4..<9) == 4..<7 && first(6, 1_000, in: 4..<9) == nil)
        // By the bytes of their records, where all together have more.
        #expect(first(11, 10 * size) == nil && first(11, 10 * size - 1) == 0..<10)
        #expect(first(11, 3 * size) == 0..<3 && first(11, 3 * size + 1) == 0..<4)
        #expect(first(11, 3 * size, in: 5..<10) == 5..<8 && first(11, 3 * size, in: 5..<7) == nil)
        #expect(first(2, 3 * size) == 0..<2 && first(5, 3 * size) == 0..<3)
    }

    @Test func `a slice has the points of its rows, and all of them are the table itself`() {
        let (table, _) = Self.table(5)
        #expect(table.slice(0..<5).count == 5 && table.slice(2..<2).count == 0)
        let some = table.slice(1..<4)
        #expect(
            some.count == 3 && some.attributes.recordBytes == 3 * table.attributes[0].bytes.count)
    }
}
