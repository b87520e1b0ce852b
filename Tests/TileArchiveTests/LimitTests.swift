import ArchiveContract
import SQLite
import Testing

@testable import TileArchive

/// What is read up to a limit.
struct LimitTests {
    let directory = try! TemporaryDirectory()

    @Test func `bytes that are counted for many tiles are bounded, whatever they come to`() throws {
        for (bytes, times, isTaken) in [
            (10, 1, true), (1 << 62, 2, false), (1 << 62, 4, false), (1 << 40, 1 << 21, false),
        ] {
            var budget = WorkBudget(fileBytes: 1_000)
            let isDone = (try? budget.count(bytes: bytes, times: times, of: "a")) != nil
            #expect(isDone == isTaken, "\(bytes) × \(times)")
        }
    }

    /// A million tiles and 64 MiB; else a tile for four bytes of the files, and all that gzip can hold in them.
    @Test(arguments: [
        (0, 1_000_000, 64 << 20), (4_000_003, 1_000_000, 4_128_003_096),
        (4_000_004, 1_000_001, 4_128_004_128), (65_027, 1_000_000, 64 << 20),
        (65_028, 1_000_000, 67_108_896), (1 << 52, 1 << 50, 1_032 << 52),
        ((1 << 58) - 1, (1 << 56) - 1, .max),
    ])
    func `what an archive may stand for follows from its size`(
        size: Int, tiles: Int, bytes: Int
    ) throws {
        var budget = WorkBudget(fileBytes: size)
        try budget.take(tiles: tiles - 1, of: "a")
        try budget.take(tiles: 1, of: "a")
        #expect(budget.tilesLeft == 0)
        let tooMany = #expect(throws: ArchiveError.self) { try budget.take(tiles: 1, of: "a") }
        #expect(tooMany?.description.contains("more than \(tiles) tiles or rows") == true)
        try budget.take(bytes: bytes - 1, of: "a")
        let tooMuch = #expect(throws: ArchiveError.self) { try budget.take(bytes: 2, of: "a") }
        #expect(tooMuch?.description.contains("more than \(bytes >> 20) MiB, which its") == true)
        try budget.take(bytes: 1, of: "a")
        // Where each tile is a file, as many as there are.
        var boundless = WorkBudget(fileBytes: nil)
        try boundless.take(bytes: .max, of: "a")
        try boundless.take(tiles: .max / 4, of: "a")
        #expect(boundless.tilesLeft == 0)
    }

    @Test(arguments: [
        ("-180,-90,180,90", true), ("1,2,3,4", true), ("1,2,3,2", true), ("1,2,3,1.9", false),
        ("1,-90.1,3,4", false), ("1,2,3,90.1", false), ("-180.1,2,3,4", false),
        ("1,2,180.1,4", false), ("100,2,-100,4", true), ("1,95,3,96", false), ("1,2,95,4", true),
    ])
    func `bounds are taken where they are on the world`(text: String, isTaken: Bool) throws {
        let path = directory.file("bounds.mbtiles")
        try MBTilesWriter(to: path).finish(ArchiveMetadata(name: "a"))
        try Database(path: path, mode: .readWriteCreate).execute(
            "INSERT INTO metadata VALUES ('bounds', '\(text)')")
        #expect(try (Archive(path: path).metadata.bounds != nil) == isTaken)
    }

    @Test(arguments: [(-1, true), (0, true), (1, false)])
    func `rows of the metadata are read up to their limit, names and all`(
        more: Int, isRead: Bool
    ) throws {
        let path = directory.file("\(more).mbtiles")
        try MBTilesWriter(to: path).finish(ArchiveMetadata(name: "a"))
        let name = "remark"
        let database = try Database(path: path, mode: .readWriteCreate)
        let others = try database.integer("SELECT sum(length(name) + length(value)) FROM metadata")
        let bytes = ArchiveMetadata.mostBytes - Int(others ?? 0) + more
        try database.execute(
            "INSERT INTO metadata VALUES ('\(name)', "
                + "substr(hex(zeroblob(2200000)), 1, \(bytes - name.utf8.count)))")
        let archive = try Archive(path: path)
        #expect((archive.metadata.others[name] != nil) == isRead)
        #expect((archive.warnings == [.tooLong(row: name, bytes: bytes)]) != isRead)
        #expect(archive.metadata.name == "a")
    }

    /// Metadata of so many names of eight bytes each, with statistics.
    private static func metadata(names: Int) -> ArchiveMetadata {
        var metadata = ArchiveMetadata(name: "a")
        let fields = (0..<names).map { VectorLayer.Field("\(10_000_000 + $0)", .number) }
        metadata.vectorLayers = [VectorLayer(id: "l", fields: fields)]
        metadata.tileStats = ["attributes": .array(fields.map { .string($0.name) })]
        return metadata
    }

    /// `"10000000":"Number",` has 20 bytes.
    @Test(arguments: ["a.mbtiles", "a.pmtiles", "a/"])
    func `what is written is read, and what would not be read is not written`(name: String) throws {
        let container = try #require(ArchiveContainers.container(named: name))
        let path = directory.file(name)
        var fitting = Self.metadata(names: 200_000)
        #expect(fitting.dropLongStatistics() && fitting.tileStats == nil)
        try container.sink(to: path, options: SinkOptions()).finish(fitting)
        let archive = try Archive(path: path)
        #expect(archive.warnings == [] && archive.metadata.vectorLayers == fitting.vectorLayers)

        let other = directory.file("b" + name.dropFirst())
        let long = Self.metadata(names: 210_000)
        let error = #expect(throws: ArchiveError.self) {
            try container.sink(to: other, options: SinkOptions()).finish(long)
        }
        #expect(error?.description.contains("210000 names of attributes make 4200000 of") == true)
        #expect(directory.names.allSatisfy { !$0.contains("b") || $0 == "a.mbtiles" })
        #expect(throws: ArchiveError.self) {
            try ArchiveMetadata.checkLength(ofNames: long.vectorLayers[0].fields.map(\.name))
        }
    }

    @Test func `statistics stay where there is room for them`() {
        var metadata = Self.metadata(names: 1_000)
        #expect(!metadata.dropLongStatistics() && metadata.tileStats != nil)
    }
}
