import Compression
import Foundation
import Geometry
import Inspection
import SQLite
import Testing
import TileArchive
import VectorTile

/// What `verify` finds, and that it finds nothing where nothing is wrong.
struct VerificationTests {
    private func codes(_ file: SampleFile, threads: Int = 2) throws -> Set<String> {
        Set(try Verification(of: file.archive, threads: threads).findings.all.map(\.code))
    }

    @Test(arguments: [20, 500, 1_500])
    func `a whole archive has no findings`(points: Int) throws {
        let file = try SampleFile(points: points)
        let verification = try Verification(of: file.archive, threads: 2)
        #expect(verification.findings.all == [])
        #expect(verification.isCovey && verification.hasIndex)
    }

    @Test(arguments: [
        ("DELETE FROM tiles WHERE zoom_level = 4 AND rowid % 5 = 0", "hash"),
        (
            "DROP INDEX tile_index; UPDATE tiles SET tile_row = (1 << zoom_level) - 1 - tile_row",
            "row-numbering"
        ),
        (
            "UPDATE covey_leaf_blocks SET data = (SELECT data FROM covey_leaf_blocks WHERE block = 1)",
            "index"
        ),
        ("UPDATE covey_clusters SET leaves = leaves + 1 WHERE leaves = 2", "index"),
        ("DELETE FROM covey_clusters WHERE leaves = 2", "index"),
    ])
    func `damage done by SQL is found`(sql: String, code: String) throws {
        let file = try SampleFile()
        try file.change(sql)
        #expect(try codes(file).contains(code))
    }

    @Test func `flipped bytes in a blob are found`() throws {
        let file = try SampleFile()
        try file.change(
            """
            UPDATE tiles SET tile_data = CAST(substr(tile_data, 1, 20) || x'5A5A'
            || substr(tile_data, 23) AS BLOB) WHERE zoom_level = 3
            """)
        #expect(try codes(file).isSuperset(of: ["bad-gzip", "hash"]))
    }

    @Test func `a tile that is not compressed is found`() throws {
        let file = try SampleFile()
        try file.change("UPDATE tiles SET tile_data = x'' WHERE zoom_level = 0")
        #expect(try codes(file).isSuperset(of: ["not-gzip", "sums"]))
    }

    @Test func `a truncated file is refused`() throws {
        let file = try SampleFile()
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
        let handle = try FileHandle(forUpdating: URL(filePath: file.path))
        try handle.truncate(atOffset: UInt64(size / 2))
        try handle.close()
        #expect(throws: InspectionError.self) { try Subject(path: file.path) }
    }

    @Test func `threads change nothing`() throws {
        let file = try SampleFile()
        try file.change("DELETE FROM tiles WHERE zoom_level = 4 AND rowid % 5 = 0")
        let one = try Verification(of: file.archive, threads: 1).findings.all
        let four = try Verification(of: file.archive, threads: 4).findings.all
        #expect(one == four)
    }
}
