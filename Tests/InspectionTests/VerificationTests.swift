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
        ("DELETE FROM tiles WHERE zoom_level = 4 AND rowid % 5 = 0", "sums"),
        ("DELETE FROM tiles WHERE zoom_level = 4 AND rowid % 5 = 0", "missing-tile"),
        ("DELETE FROM tiles WHERE zoom_level = 4 AND rowid % 5 = 0", "hash"),
        (
            "DROP INDEX tile_index; INSERT INTO tiles SELECT * FROM tiles WHERE zoom_level = 0",
            "duplicate-tile"
        ),
        ("DROP INDEX tile_index", "no-index"),
        (
            "DROP INDEX tile_index; UPDATE tiles SET tile_row = (1 << zoom_level) - 1 - tile_row",
            "row-numbering"
        ),
        (
            "DROP INDEX tile_index; UPDATE tiles SET tile_row = (1 << zoom_level) - 1 - tile_row",
            "copies"
        ),
        ("UPDATE tiles SET tile_column = 99 WHERE zoom_level = 0", "key-range"),
        ("UPDATE metadata SET value = '0,0,1,1' WHERE name = 'bounds'", "bounds"),
        ("UPDATE metadata SET value = '-180,-85,180,85' WHERE name = 'bounds'", "bounds"),
        ("UPDATE metadata SET value = 'nonsense' WHERE name = 'bounds'", "garbled-row"),
        ("UPDATE metadata SET value = '4' WHERE name = 'maxzoom'", "zooms"),
        ("DELETE FROM metadata WHERE name = 'json'", "missing-row"),
        ("DELETE FROM metadata WHERE name = 'json'", "vector-layers"),
        (
            "UPDATE metadata SET value = replace(value, '\"Boolean\"', '\"String\"')",
            "field-type"
        ),
        ("UPDATE metadata SET value = replace(value, '\"name\":\"String\",', '')", "fields"),
        ("UPDATE metadata SET value = '{}' WHERE name = 'covey'", "covey-row"),
        (
            "UPDATE metadata SET value = replace(value, '\"leaves\":1500', '\"leaves\":1501')",
            "sums"
        ),
        (
            "UPDATE metadata SET value = replace(value, '\"grid\"', '\"spaced\"')",
            "spacing"
        ),
        ("DELETE FROM covey_leaf_blocks WHERE block = 0", "leaf-blocks"),
        (
            "UPDATE metadata SET value = replace(value, '\"buffer\":8', '\"buffer\":1e300')",
            "covey-row"
        ),
        (
            "INSERT INTO covey_leaf_blocks VALUES (4611686018427387904, x'00', x'00')",
            "leaf-blocks"
        ),
        (
            "UPDATE covey_leaf_blocks SET data = (SELECT data FROM covey_leaf_blocks WHERE block = 1)",
            "index"
        ),
        ("UPDATE covey_clusters SET leaves = leaves + 1 WHERE leaves = 2", "index"),
        ("UPDATE covey_clusters SET leaves = 900 WHERE key > 2000 AND leaves = 2", "hierarchy"),
        ("UPDATE covey_clusters SET up = NULL WHERE key > 2000", "hierarchy"),
        ("UPDATE covey_clusters SET x = x + 100000000 WHERE key > 2000", "positions"),
        ("DELETE FROM covey_clusters WHERE leaves = 2", "index"),
        ("PRAGMA application_id = 7", "application-id"),
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

    /// Changes the attributes of a tile's clusters, keeping everything else.
    private func rewrite(
        _ file: SampleFile, _ tile: TileID, _ change: (inout VectorTile.Tile.Tag) -> Void
    ) throws {
        var reader = try file.archive.openTiles()
        let bytes = try #require(try reader.inflatedTile(at: tile, limit: 1 << 20))
        var content = try VectorTile.Tile(bytes.span)
        for layer in content.layers.indices {
            for feature in content.layers[layer].features.indices {
                for tag in content.layers[layer].features[feature].tags.indices {
                    change(&content.layers[layer].features[feature].tags[tag])
                }
            }
        }
        var gzip = GzipCompressor(level: 6)
        let stored = gzip.compress(content.packed().span)
        let database = try Database(path: file.path, mode: .readWriteCreate)
        var update = try database.prepare(
            "UPDATE tiles SET tile_data = ?1 WHERE zoom_level = 0")
        try update.run(binding: stored.span, at: 1)
    }

    @Test(arguments: [
        ("point_count", ["sums", "index", "abbreviated"]),
        ("expansion_zoom", ["expansion-zoom"]),
        ("cluster_id", ["cluster-id", "index"]),
    ])
    func `a changed attribute of a cluster is found`(name: String, expected: [String]) throws {
        let file = try SampleFile()
        try rewrite(file, TileID(z: 0, x: 0, y: 0)) { tag in
            if tag.key == name, case .uint(let number) = tag.value {
                tag.value = .uint(number + 1)
            }
        }
        #expect(try codes(file).isSuperset(of: expected))
    }

    @Test func `a damaged page is found`() throws {
        let file = try SampleFile()
        let handle = try FileHandle(forUpdating: URL(filePath: file.path))
        let size = try handle.seekToEnd()
        // The first bytes of a page in the middle say how its cells are laid out.
        try handle.seek(toOffset: size / 2 / 4096 * 4096)
        try handle.write(contentsOf: [UInt8](repeating: 0xA7, count: 64))
        try handle.close()
        let outcome = Result { try codes(file) }
        switch outcome {
        case .success(let codes): #expect(codes.contains("integrity"))
        case .failure(let error): #expect("\(error)".contains("damaged"))
        }
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
