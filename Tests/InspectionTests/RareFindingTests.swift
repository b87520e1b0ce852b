import Compression
import Foundation
import Geometry
import Inspection
import MessageTiles
import SQLite
import Testing
import VectorTile

/// Findings that few archives ever give rise to, each by itself.
struct RareFindingTests {
    @Test func `an archive without metadata lacks what they tell, and nothing else`() throws {
        let built = try BuiltArchive(.single)
        try built.change("DROP TABLE metadata")
        #expect(try built.codes() == ["no-metadata", "covey-row", "vector-layers"])
    }

    /// Two MiB, with its name.
    @Test func `a row of the metadata has its limit to the byte`() throws {
        let built = try BuiltArchive(.single)
        try built.change(
            "INSERT INTO metadata VALUES ('remark', hex(zeroblob(1048573)))")
        #expect(try built.codes() == [])
        try built.change("UPDATE metadata SET value = value || 'x' WHERE name = 'remark'")
        #expect(try built.codes() == ["long-row"])
    }

    /// Seven bytes each, so that they are soon more than any tile may have.
    private let layers: [UInt8] = (0...10_000).flatMap { _ in
        [0x1A, 5, 0x0A, 1, UInt8(ascii: "a"), 0x78, 2] as [UInt8]
    }

    @Test func `a tile that is too large is found where it lies`() throws {
        let built = try BuiltArchive(.single)
        var gzip = GzipCompressor(level: 1)
        let id = TileID(z: 0, x: 0, y: 0)
        try built.write(stored: gzip.compress(layers.span), at: id)
        let findings = try built.findings()
        #expect(Set(findings.map(\.code)) == ["too-large", "sums", "index"])
        #expect(findings.first?.locations == ["0/0/0"])
    }

    @Test func `a tile in a file of its own may be too large as well`() {
        let verification = TileVerification(of: LooseTile(path: "tile", stored: layers))
        #expect(verification.findings.all.map(\.code) == ["too-large"])
        #expect(verification.worst == .fatal)
    }
}
