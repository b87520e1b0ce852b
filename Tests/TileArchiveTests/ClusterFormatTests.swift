import ArchiveContract
import Geometry
import SQLite
import Testing
import TileArchive

/// Walks over the cluster tables, and the formats that they may have.
struct ClusterFormatTests {
    let directory = try! TemporaryDirectory()

    @Test func `scans give all rows and blocks in order, whatever is damaged`() throws {
        let path = directory.file("scan.mbtiles")
        let sample = SampleHierarchy(leafCount: 9_000, seed: 4)
        try sample.write(to: path)
        let archive = try Archive(path: path)
        #expect(try archive.allClusters() == sample.clusters.map { .cluster($0) })
        var blocks = try archive.scanLeafBlocks()
        for number in Int64(0)..<3 {
            #expect(try blocks.next() == number)
            #expect(blocks.bytes.count == 0 && blocks.hull == [])
        }
        // It does not begin again.
        for _ in 0..<2 { #expect(try blocks.next() == nil) }
        let damaged = sample.clusters[3].key.packed
        try Database(path: path, mode: .readWriteCreate).execute(
            """
            UPDATE covey_clusters SET leaves = 0 WHERE key = \(damaged);
            UPDATE covey_leaf_blocks SET hull = x'00' WHERE block = 0
            """)
        var wanted = sample.clusters.map(ClusterRow.cluster)
        wanted[3] = .damaged(damaged)
        #expect(try archive.allClusters() == wanted)
        blocks = try archive.scanLeafBlocks()
        #expect(try blocks.next() == 0 && blocks.hull == nil)
    }

    @Test func `archives of format 1 are read, and ids are keys there`() throws {
        let path = directory.file("format1.mbtiles")
        let sample = SampleHierarchy(leafCount: 60, seed: 3)
        try sample.write(to: path)
        try Database(path: path, mode: .readWriteCreate).execute(
            """
            ALTER TABLE covey_clusters RENAME COLUMN key TO id;
            UPDATE metadata SET value = '{"format": 1, "layers": [{"name": "a", "first": 0, '
                || '"leaves": 60, "radius": 50, "algorithm": "spaced"}]}' WHERE name = 'covey'
            """)
        let archive = try Archive(path: path)
        #expect(try archive.allClusters() == sample.clusters.map { .cluster($0) })
        var index = try archive.openClusters()
        for cluster in sample.clusters {
            #expect(try index.cluster(cluster.key.packed) == cluster)
        }
    }

    @Test func `a later format is refused by name for clusters, its tiles are read`() throws {
        let path = directory.file("later.mbtiles")
        let sample = SampleHierarchy(leafCount: 60, seed: 3)
        try sample.write(to: path)
        for (row, error) in [
            (#"{"format": 9}"#, .newerFormat(9)),
            ("[]", .garbled(.expected("an object", found: "an array", at: .root))),
        ] as [(String, DescriptionError)] {
            let changing = try Database(path: path, mode: .readWriteCreate)
            try changing.execute("UPDATE metadata SET value = '\(row)' WHERE name = 'covey'")
            let archive = try Archive(path: path)
            let refusal = ArchiveError.unreadableClusters(path: path, error)
            #expect(throws: refusal) { _ = try archive.openClusters() }
            #expect(throws: refusal) { _ = try archive.scanClusters() }
            #expect(throws: refusal) { _ = try archive.scanLeafBlocks() }
            var tiles = try archive.openTiles()
            #expect(try tiles.tile(at: TileID(z: 0, x: 0, y: 0)) == nil)
        }
    }

    @Test func `tables without an account are refused`() throws {
        let path = directory.file("silent.mbtiles")
        try SampleHierarchy(leafCount: 60, seed: 3).write(to: path)
        try Database(path: path, mode: .readWriteCreate).execute(
            "DELETE FROM metadata WHERE name = 'covey'")
        let error = #expect(throws: ArchiveError.self) {
            _ = try Archive(path: path).openClusters()
        }
        guard case .damagedClusters = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
