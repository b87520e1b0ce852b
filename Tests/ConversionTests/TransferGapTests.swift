import ArchiveContract
import Foundation
import SQLite
import TestSupport
import Testing
import TileArchive

/// What an archive lacks is not left out of another without a word.
struct TransferGapTests {
    let files = try! BakedFiles()

    @Test(arguments: [
        ("DELETE FROM \(IndexTable.leafBlocks) WHERE block = 0", "leaf block"),
        ("DELETE FROM \(IndexTable.leafBlocks) WHERE block = 1", "leaf "),
        ("DELETE FROM \(IndexTable.ids)", "it has 0 ids, not "),
        ("UPDATE \(IndexTable.ids) SET data = NULL", "the ids from "),
        ("UPDATE \(IndexTable.ids) SET first = first + 1", "it is another page"),
    ])
    func `an index with a gap is refused`(change: String, reason: String) throws {
        let points = try files.points("in", count: 4_600, seed: 3)
        let archive = try files.build("in.mbtiles", [("points", points)], tiles: ["maxZoom": 2])
        _ = try files.convert(archive, "whole.mbtiles")
        try Database(path: archive.path, mode: .readWriteCreate).execute(change)

        for target in ["gap.mbtiles", "gap.pmtiles"] {
            let error = #expect(throws: ArchiveError.self) {
                _ = try files.convert(Archive(path: archive.path), target)
            }
            #expect("\(error!)".contains(reason), "\(error!)")
            #expect(!FileManager.default.fileExists(atPath: files.file(target)))
        }
    }
}
