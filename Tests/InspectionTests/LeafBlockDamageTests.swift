import Compression
import Foundation
import Inspection
import MessageTiles
import SQLite
import Testing
import TileArchive
import VectorTile

/// What is said of leaf blocks that are not as they should be, each fault by its own words.
struct LeafBlockDamageTests {
    private static let short = "the leaf blocks end with point 0, but the layers have 100"

    private func messages(_ built: BuiltArchive) throws -> Set<String> {
        Set(try built.findings().filter { $0.code == "leaf-blocks" }.map(\.message))
    }

    @Test(arguments: [
        ("block = 4611686018427387904", ["a leaf block has an impossible number", short]),
        ("block = -1", ["a leaf block has an impossible number", short]),
        (
            "block = 1",
            [
                "a leaf block is missing",
                "the leaf blocks end with point 4100, but the layers have 100",
            ]
        ),
        ("data = x'1f8b00'", ["a leaf block is damaged", short]),
    ])
    func `a block is faulted for what is wrong with it`(change: String, words: [String]) throws {
        let built = try BuiltArchive(.single)
        try built.change("UPDATE covey_leaf_blocks SET \(change)")
        #expect(try messages(built) == Set(words))
    }

    @Test func `a block of another extent is found`() throws {
        let built = try BuiltArchive(.single)
        try built.makeOld()
        var index = try built.archive.openClusters()
        let bytes = try index.leafBlock(0, limit: 1 << 20)
        var tile = try MessageTiles.Tile(bytes.span)
        for layer in tile.layers.indices { tile.layers[layer].extent = 1 << 29 }
        var gzip = GzipCompressor(level: 6)
        let packed = gzip.compress(tile.packed().span)
        let database = try Database(path: built.path, mode: .readWriteCreate)
        var update = try database.prepare("UPDATE covey_leaf_blocks SET data = ?1")
        try update.run(binding: packed.span, at: 1)
        #expect(try messages(built) == ["a leaf block's extent is not 2^30"])
    }

    @Test func `a cluster that the index has elsewhere does not lie among its points`() throws {
        let built = try BuiltArchive(.single)
        try built.change("UPDATE covey_clusters SET x = x + 100000000")
        let moved = try built.findings(deep: true).filter { $0.code == "moved" }.map(\.message)
        #expect(moved.contains("a cluster does not lie among its points"))
    }

    /// No tile and no cluster is in it, so nothing but SQLite itself can say so.
    @Test func `a damaged page that nothing is read from is found`() throws {
        let built = try BuiltArchive(.single)
        try built.change(
            "CREATE TABLE extra (a); INSERT INTO extra VALUES (zeroblob(900)), (zeroblob(900))")
        var (page, size) = (UInt64(0), UInt64(0))
        do {
            let database = try Database(path: built.path, mode: .readOnly)
            page = UInt64(
                try database.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'extra'")
                    ?? 0)
            size = UInt64(try database.integer("PRAGMA page_size") ?? 0)
        }
        #expect(try built.codes() == [])
        let handle = try FileHandle(forUpdating: URL(filePath: built.path))
        try handle.seek(toOffset: (page - 1) * size)
        try handle.write(contentsOf: [0x07])
        try handle.close()
        #expect(try built.codes() == ["integrity"])
    }
}
