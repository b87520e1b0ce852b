import ArchiveContract
import Foundation
import SQLite
import TestSupport
import Testing
import TileArchive

/// What an archive lacks is not left out of another without a word.
struct TransferGapTests {
    let files = try! BakedFiles()

    @Test func `a file of clusters that is not there is told`() throws {
        let points = try files.points("in", count: 200, seed: 3)
        let archive = try files.build("in.pmtiles", [("points", points)], tiles: ["maxZoom": 2])
        try FileManager.default.removeItem(atPath: files.file("in.clusters.pmtiles"))
        let (converted, report) = try files.convert(Archive(path: archive.path), "out.mbtiles")
        #expect(!converted.hasClusters && report.tiles > 0 && report.notes.count == 1)
        #expect(report.notes[0].hasPrefix("the index of clusters is left out: "))
        #expect(report.notes[0].contains("in.clusters.pmtiles"))
    }

    @Test(arguments: [
        ("DELETE FROM \(IndexTable.blocks) WHERE block = 0", "payload 0 is missing"),
        ("DELETE FROM \(IndexTable.blocks) WHERE block = 2", "payload 2 is missing"),
        ("DELETE FROM \(IndexTable.blocks)", "payload 0 is missing"),
        ("UPDATE \(IndexTable.blocks) SET data = NULL WHERE block = 1", "not those that it was"),
        ("UPDATE \(IndexTable.blocks) SET block = 99 - block", "payload 0 is missing"),
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
