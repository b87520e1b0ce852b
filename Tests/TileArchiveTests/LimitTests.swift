import ArchiveContract
import SQLite
import Testing

import TileArchive

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
