import ArchiveContract
import Compression
import Geometry
import SQLite
import Testing

@testable import TileArchive

/// What is written in order or not at all, and what is read up to a limit.
struct LimitTests {
    let directory = try! TemporaryDirectory()

    private func block(_ number: Int64, _ gzip: inout GzipCompressor) -> EncodedBlock {
        EncodedBlock(
            ClusterBlock(number: number, leaves: number..<number + 1, hull: [], rows: []),
            leaves: [1], with: &gzip)
    }

    private func page(_ id: Int64, _ gzip: inout GzipCompressor) -> EncodedPage {
        var page = IDPage()
        page.append(id, firstLeaf: 0)
        return EncodedPage(page, with: &gzip)
    }

    @Test func `blocks come by number and pages behind them by their first id`() throws {
        var gzip = GzipCompressor(level: 1)
        let least = PlaceID.least
        for (ids, isInOrder) in [
            ([1, 2, 9], true), ([2, 1], false), ([2, 9, 5], false), ([2, 5, 9, 9], false),
        ] as [([Int64], Bool)] {
            var sequence = PayloadSequence(path: "a")
            for number in Int64(0)..<2 {
                _ = try sequence.payload(of: block(number, &gzip))
            }
            for id in ids.dropLast() {
                _ = try sequence.payload(of: page(least + id, &gzip))
            }
            let last = least + (ids.last ?? 0)
            do throws(ArchiveError) {
                _ = try sequence.payload(of: page(last, &gzip))
                #expect(isInOrder && sequence.count == 2 + Int64(ids.count))
            } catch {
                #expect(!isInOrder)
                #expect(error == .outOfOrder(path: "a", table: "ids", row: last))
            }
            #expect(throws: ArchiveError.self) {
                var gzip = GzipCompressor(level: 1)
                var next = PayloadSequence(path: "a")
                _ = try next.payload(of: block(1, &gzip))
            }
        }
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
