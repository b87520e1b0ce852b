import Compression
import Foundation
import Geometry
import Inspection
import MessageTiles
import SQLite
import Testing
import TileArchive
import VectorTile

/// Findings that few archives ever give rise to, each by itself.
struct RareFindingTests {
    @Test func `an archive without metadata lacks what they tell, and nothing else`() throws {
        let built = try BuiltArchive(.single)
        try built.change("DROP TABLE metadata")
        #expect(try built.codes() == ["no-metadata", "covey-row", "vector-layers"])
    }

    /// Four MiB, with their names.
    @Test func `the rows of the metadata have their limit to the byte`() throws {
        let built = try BuiltArchive(.single)
        try built.change(
            """
            INSERT INTO metadata SELECT 'remark', substr(hex(zeroblob(2200000)), 1, 4194304 - 6 -
                sum(length(CAST(name AS BLOB)) + length(CAST(value AS BLOB)))) FROM metadata
            """)
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

    /// As many points as Covey draws in a tile are no fault; fields that no tile has take far more than their bytes.
    @Test(arguments: [(0, []), (20, ["too-large"])])
    func `a tile that takes too much memory once it is unpacked is found`(
        strangers: Int, codes: [String]
    ) throws {
        var feature: [UInt8] = [0x18, 1, 0x22, 3, 9, 2, 2]
        for _ in 0..<strangers { feature += [0x78, 1] }
        feature = [0x12, UInt8(feature.count)] + feature
        var features: [UInt8] = []
        for _ in 0..<250_000 { features += feature }
        let end = MessageTiles.Tile(layers: [.init(name: "l", features: [])]).packed().dropFirst(2)
        let count = features.count + end.count
        var tile: [UInt8] = [0x1A]
        for shift in [0, 7, 14] { tile.append(UInt8(count >> shift & 0x7F) | 0x80) }
        tile += [UInt8(count >> 21)] + end + features
        let findings = TileVerification(of: LooseTile(path: "tile", stored: tile)).findings
        #expect(findings.all.map(\.code) == codes)
        #expect(
            codes.isEmpty
                || findings.all[0].locations == ["protobuf-c lacks the memory to unpack the tile"])
    }

    @Test func `a tile in a file of its own is held against its gzip and each rule`() throws {
        let torn = TileVerification(of: LooseTile(path: "tile", stored: [0x1F, 0x8B, 8, 0, 0, 0]))
        #expect(torn.findings.all.map(\.code) == ["bad-gzip"])
        #expect(torn.findings.hasErrors && torn.worst == .fatal)
        let feature = MessageTiles.Tile.Feature(.points([.init(x: 1, y: 1)]))
        let layer = MessageTiles.Tile.Layer(name: "l", features: [feature])
        let twice = MessageTiles.Tile(layers: [layer, layer])
        let named = TileVerification(of: LooseTile(path: "tile", stored: twice.packed()))
        #expect(named.findings.all.map(\.code) == ["mvt-duplicate-layer-name"])
        #expect(named.findings.hasErrors && named.worst == .recoverable)
    }

    @Test func `what the format advises is a warning, and what it demands is an error`() throws {
        let built = try BuiltArchive(.single)
        let id = try #require(try built.tiles(at: 3).first)
        var tile = try built.tile(id)
        tile.layers += [tile.layers[0], .init(name: "empty")]
        try built.write(tile, at: id)
        for (code, severity) in [
            ("mvt-duplicate-layer-name", Finding.Severity.error), ("mvt-no-features", .warning),
        ] {
            let found = try built.findings().first { $0.code == code }
            #expect(found?.severity == severity, "\(code)")
        }
    }

    /// Nothing is wrong with the folder itself: it is the pass over the tiles that ends there.
    @Test func `a file of a folder that is larger than any tile ends the look at the tiles`() throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "covey-rare-\(UUID().uuidString)/")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "0/0"), withIntermediateDirectories: true)
        let metadata = #"{"format": "pbf", "bounds": "-1,-1,1,1", "minzoom": "0", "maxzoom": "0"}"#
        try Data(metadata.utf8).write(to: folder.appending(path: "metadata.json"))
        let tile = folder.appending(path: "0/0/0.pbf").path
        let content = MessageTiles.Tile(layers: [
            .init(name: "l", features: [.init(.points([.init(x: 1, y: 1)]))])
        ])
        try Data(content.packed()).write(to: URL(filePath: tile))
        func findings() throws -> [Finding] {
            try Verification(of: Archive(path: folder.path), threads: 1).findings.all
        }
        #expect(!(try findings()).contains { $0.code == "integrity" })
        try #require(truncate(tile, 64 << 20 + 1) == 0)
        let found = try findings().filter { $0.code == "integrity" }
        #expect(found.map(\.message) == ["the archive cannot be read to its end"])
        #expect(found.first?.locations == ["tile 0/0/0 has more bytes than any tile needs"])
    }

    /// Metadata round the world's ends by more than a unit of deep zooms.
    @Test func `bounds at both ends of the world hold what is drawn there`() throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "covey-ends-\(UUID().uuidString).mbtiles")
        defer { try? FileManager.default.removeItem(at: file) }
        let recipe =
            #"{"tiles": {"minZoom": 17, "maxZoom": 17}, "layers": [{"name": "a", "sources": ["a.csv"]}]}"#
        try ArchiveKind.bytes(recipe, ["a.csv": "lon,lat\n-45,90\n45,-90\n"]).write(to: file)
        let found = try Verification(of: Archive(path: file.path), threads: 1).findings.all
        #expect(found.map(\.code) == [])
    }
}
