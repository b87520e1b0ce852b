import ArchiveContract
import SQLite
import Testing

import TileArchive

/// What is read up to a limit.
struct LimitTests {
    let directory = try! TemporaryDirectory()

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
