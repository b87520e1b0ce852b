import ArchiveContract
import Compression
import Geometry
import MadeArchives
import SQLite
import TestSupport
import Testing
import TileArchive

/// Questions to the tables of earlier formats.
struct ClusterIndexTests {
    let directory = try! TemporaryDirectory()

    @Test(arguments: UInt64(0)..<8)
    func `answers are those of a search through all clusters`(seed: UInt64) throws {
        let sample = SampleHierarchy(leafCount: 1 + 67 * Int64(seed), seed: seed)
        let path = directory.file("\(seed).mbtiles")
        try sample.write(to: path)
        var index = try Archive(path: path).openClusters()
        for cluster in sample.clusters {
            #expect(try index.cluster(sample.id(of: cluster)) == cluster)
            #expect(try index.parent(of: sample.id(of: cluster))?.key == cluster.parent)
            let children = sample.level(cluster.expansionZoom, of: cluster.leaves)
            let id = sample.id(of: cluster)
            let total = Int64(children.count)
            let whole = try index.children(of: id)
            #expect(whole.nodes == children && whole.total == total && total > 1)
            for (offset, limit) in [(0, 1), (1, 2), (3, 5), (children.count - 1, 9), (2, 0)] {
                let page = try index.children(of: id, offset: Int64(offset), limit: limit)
                #expect(page.nodes == Array(children.dropFirst(offset).prefix(limit)))
                #expect(page.total == total)
            }
            for offset in [total, .max] {
                #expect(try index.children(of: id, offset: offset, limit: 3).nodes.isEmpty)
            }
        }
        for leaf in stride(from: 0, to: sample.leafCount, by: 7) {
            for zoom in [0, 2, 5, 11, 20, 22] {
                let expected = sample.node(holding: leaf, at: zoom)
                #expect(try index.node(holding: leaf, at: zoom) == expected)
            }
        }
    }

    @Test func `leaf blocks and hulls come back`() throws {
        let path = directory.file("blocks.mbtiles")
        var compressor = GzipCompressor(level: 6)
        let contents = Array("a block of points".utf8)
        let corners = [GridPoint(x: -1, y: .max), GridPoint(WorldPoint(x: 0.5, y: 0.25))]
        let packed = compressor.compress(contents.span)
        try OldArchive.write(
            to: path, SampleHierarchy.description(leafCount: 32_000), idBase: 128,
            blocks: [(0, packed, corners), (7, packed, [])], clusters: [])
        var index = try Archive(path: path).openClusters()
        #expect(try index.leafBlock(7, limit: 17) == contents)
        #expect(try index.hull(ofLeafBlock: 0) == corners)
        #expect(corners[1].worldPoint == WorldPoint(x: 0.5, y: 0.25))
        #expect(throws: ArchiveError.unknownLeafBlock(path: path, block: 1)) {
            try index.leafBlock(1, limit: 17)
        }
        #expect(
            throws: ArchiveError.damagedLeafBlock(path: path, block: 7, .tooLarge(limit: 16))
        ) {
            try index.leafBlock(7, limit: 16)
        }
    }

    @Test func `leaf blocks of a size that none has are refused, not misread`() throws {
        let path = directory.file("old.mbtiles")
        try OldArchive.write(
            to: path, SampleHierarchy.description(leafCount: 1), idBase: 128,
            blocks: [(0, [], [])], clusters: [])
        try Database(path: path, mode: .readWriteCreate).execute(
            "UPDATE metadata SET value = '{\"format\": 1, \"layers\": [], \"leavesInBlock\": 5000}' "
                + "WHERE name = 'covey'")
        let error = #expect(throws: ArchiveError.self) {
            _ = try Archive(path: path).openClusters()
        }
        guard case .unreadableClusters = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `an archive without a block has no leaves`() throws {
        let path = directory.file("none.mbtiles")
        try OldArchive.write(
            to: path, SampleHierarchy.description(leafCount: 50), idBase: 128, blocks: [],
            clusters: [])
        let index = try Archive(path: path).openClusters()
        #expect(index.leafBound == 0 && index.table.count == 0)
    }

    @Test func `what is not there has its own error`() throws {
        let bare = directory.file("bare.mbtiles")
        try SampleTiles(count: 1, seed: 1).write([], to: bare)
        #expect(throws: ArchiveError.noClusters(path: bare)) {
            _ = try Archive(path: bare).openClusters()
        }
        let path = directory.file("some.mbtiles")
        let sample = SampleHierarchy(leafCount: 50, seed: 3)
        try sample.write(to: path)
        var index = try Archive(path: path).openClusters()
        // 0 and 64 are ids of points; the others are of no cluster that the archive has.
        for id in [Int64(-1), .min, .max, 0, 64, 128 + 31] {
            #expect(throws: ArchiveError.unknownCluster(path: path, id: id)) {
                try index.children(of: id)
            }
        }
        for leaf in [Int64(-1), 50, LeafBlockLayout.mostLeaves, .max] {
            #expect(throws: ArchiveError.unknownLeaf(path: path, leaf: leaf)) {
                try index.node(holding: leaf, at: 3)
            }
        }
    }

    @Test(arguments: [
        "UPDATE covey_clusters SET leaves = 100000000",
        "UPDATE covey_clusters SET leaves = -1",
        "UPDATE covey_clusters SET up = -1",
        "UPDATE covey_clusters SET up = 3 * 32",
        "UPDATE covey_clusters SET up = -9223372036854775808",
        "UPDATE covey_clusters SET x = 4000000000",
        "INSERT INTO covey_clusters VALUES (1*32+25, 48, 1, 1, 1, 0)",
    ])
    func `damaged rows are found and nothing goes round in circles`(sql: String) throws {
        let path = directory.file("damaged.mbtiles")
        let sample = SampleHierarchy(leafCount: 50, seed: 3)
        try sample.write(to: path)
        try Database(path: path, mode: .readWriteCreate).execute(sql)
        var index = try Archive(path: path).openClusters()
        let error = #expect(throws: ArchiveError.self) {
            for cluster in sample.clusters {
                _ = try index.children(of: sample.id(of: cluster))
                _ = try index.parent(of: sample.id(of: cluster))
            }
            for leaf in Int64(0)..<50 { _ = try index.node(holding: leaf, at: 25) }
        }
        guard case .damagedClusters = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a claim of many leaves is paged inside the walk, and held against the layers`()
        throws
    {
        let path = directory.file("claim.mbtiles")
        let count: Int64 = 40_000_000
        let key = ClusterKey(firstLeaf: 0, zoom: 0)
        let inner = ClusterRecord(
            key: ClusterKey(firstLeaf: 10, zoom: 1), leafCount: 5, position: GridPoint(x: 0, y: 0),
            parent: key)
        let outer = ClusterRecord(
            key: key, leafCount: count, position: inner.position, parent: nil)
        try OldArchive.write(
            to: path, SampleHierarchy.description(leafCount: count), idBase: 128,
            blocks: [(count / 4_000 - 1, [], [])], clusters: [outer, inner])
        var index = try Archive(path: path).openClusters()
        let id = SampleHierarchy.idBase + key.packed
        let page = try index.children(of: id, offset: 9, limit: 3)
        #expect(page.nodes == [.leaf(9), .cluster(inner), .leaf(15)] && page.total == count - 4)
        #expect(try index.children(of: id).nodes.count == ClusterIndex.mostNodes)
        let last = try index.children(of: id, offset: count - 5, limit: 5)
        #expect(last.nodes == [.leaf(count - 1)])
        // As soon as the layers have fewer, it is a lie.
        let changing = try Database(path: path, mode: .readWriteCreate)
        try changing.execute("UPDATE covey_clusters SET leaves = leaves + 1 WHERE key = 0")
        #expect(throws: ArchiveError.self) { try index.children(of: id) }
    }

    @Test func `a page behind more children than are counted is refused`() throws {
        let path = directory.file("wide.mbtiles")
        let rows = 2 * Int64(ClusterIndex.mostNodes) + 10
        let key = ClusterKey(firstLeaf: 0, zoom: 0)
        let position = GridPoint(x: 0, y: 0)
        let outer = ClusterRecord(
            key: key, leafCount: 2 * rows, position: position, parent: nil)
        let pairs = (0..<rows).map { first in
            ClusterRecord(
                key: ClusterKey(firstLeaf: 2 * first, zoom: 1), leafCount: 2, position: position,
                parent: key)
        }
        try OldArchive.write(
            to: path, SampleHierarchy.description(leafCount: 2 * rows), idBase: 128,
            blocks: [(rows / 2_000, [], [])], clusters: [outer] + pairs)
        var index = try Archive(path: path).openClusters()
        let id = SampleHierarchy.idBase + key.packed
        let most = Int64(ClusterIndex.mostNodes)
        let page = try index.children(of: id, offset: most, limit: 5)
        #expect(page.nodes.map(\.leaves.lowerBound) == (0..<5).map { 2 * (most + $0) })
        #expect(page.total == nil)
        #expect(
            throws: ArchiveError.tooManyChildren(path: path, id: id, most: 2 * Int(most))
        ) { try index.children(of: id, offset: 1 << 53, limit: 5) }
    }

    @Test func `a hull with more corners than a block has points is none`() throws {
        let path = directory.file("corners.mbtiles")
        let corner = GridPoint(x: 1, y: 1)
        try OldArchive.write(
            to: path, SampleHierarchy.description(leafCount: 8_000), idBase: 128,
            blocks: [(0, 4_000), (1, 4_001)].map {
                (Int64($0.0), [], Array(repeating: corner, count: $0.1))
            }, clusters: [])
        var index = try Archive(path: path).openClusters()
        #expect(try index.hull(ofLeafBlock: 0).count == 4_000)
        #expect(throws: ArchiveError.self) { try index.hull(ofLeafBlock: 1) }
    }
}
