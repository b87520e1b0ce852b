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

    @Test(arguments: [((2 << 20) - 1, true), (2 << 20, true), ((2 << 20) + 1, false)])
    func `a row of the metadata is read up to its limit, name and all`(
        bytes: Int, isRead: Bool
    ) throws {
        let path = directory.file("\(bytes).mbtiles")
        try MBTilesWriter(to: path).finish(ArchiveMetadata(name: "a"))
        let name = "remark"
        try Database(path: path, mode: .readWriteCreate).execute(
            "INSERT INTO metadata VALUES ('\(name)', "
                + "substr(hex(zeroblob(1100000)), 1, \(bytes - name.utf8.count)))")
        let archive = try Archive(path: path)
        #expect((archive.metadata.others[name] != nil) == isRead)
        #expect((archive.warnings == [.tooLong(row: name, bytes: bytes)]) != isRead)
        #expect(archive.metadata.name == "a")
    }
}
