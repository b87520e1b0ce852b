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
    @Test(arguments: ["png", "webp"])
    func `of pictures only the container is checked`(format: String) throws {
        let file = try SampleFile()
        try file.change(
            """
            DROP TABLE covey_clusters; DROP TABLE covey_leaf_blocks;
            DELETE FROM metadata WHERE name = 'covey';
            UPDATE metadata SET value = '\(format)' WHERE name = 'format';
            UPDATE tiles SET tile_data = x'89504E47'
            """)
        let findings = try Verification(of: file.archive, threads: 1).findings
        #expect(findings.all.map(\.code) == ["pictures"])
        #expect(!findings.hasErrors)
    }

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
        (
            "DELETE FROM tiles WHERE zoom_level = 4 AND rowid % 5 = 0",
            ["copies", "hash", "index", "missing-tile", "sums"]
        ),
        (
            "DROP INDEX tile_index; UPDATE tiles SET tile_row = (1 << zoom_level) - 1 - tile_row",
            ["copies", "hash", "missing-tile", "no-index", "positions", "row-numbering"]
        ),
        (
            "UPDATE covey_leaf_blocks SET data = (SELECT data FROM covey_leaf_blocks WHERE block = 1)",
            ["hull", "index", "leaf-blocks"]
        ),
        (
            "UPDATE covey_clusters SET leaves = leaves + 1 WHERE leaves = 2",
            ["hierarchy", "index"]
        ),
        ("DELETE FROM covey_clusters WHERE leaves = 2", ["index"]),
        (
            "UPDATE tiles SET tile_data = x'' WHERE zoom_level = 0",
            ["hash", "index", "layer-zooms", "not-gzip", "sums"]
        ),
        (
            """
            UPDATE tiles SET tile_data = CAST(substr(tile_data, 1, 20) || x'5A5A'
            || substr(tile_data, 23) AS BLOB) WHERE zoom_level = 3
            """, ["bad-gzip", "hash", "index", "sums"]
        ),
    ])
    func `damage done by SQL is found, and nothing else`(sql: String, codes: [String]) throws {
        let file = try SampleFile()
        try file.change(sql)
        #expect(try self.codes(file).sorted() == codes)
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
