import ArchiveContract
import Foundation
import Geometry
import SQLite
import TestSupport
import Testing
import TileArchive

/// Questions to an archive whose clusters lie in blocks, in any order: against a search through all clusters.
struct PairIndexTests {
    let directory = try! TemporaryDirectory()

    @Test(arguments: UInt64(0)..<9)
    func `answers are those of a search, whatever was asked before`(seed: UInt64) throws {
        let layout = Int64([4, 25, 60][Int(seed % 3)])
        let sample = SampleHierarchy(leafCount: 60 + 40 * Int64(seed), seed: seed)
        let path = directory.file(["a.pmtiles", "a.mbtiles", "a/"][Int(seed / 3)])
        let clusters = try sample.write(to: path, in: layout)
        let archive = try Archive(path: path)
        #expect(try archive.allClusters() == clusters.map { .cluster($0) })
        #expect(try archive.audit().damage.isEmpty)
        var index = try archive.openClusters()
        let table = index.table
        #expect(table.leafCount == sample.leafCount && table.count > sample.leafCount / 60)
        var random = SeededRandom(seed: seed)
        for _ in 0..<60 {
            let number = Int64(random.next() % UInt64(table.count))
            let text = String(decoding: try index.leafBlock(number, limit: 100), as: UTF8.self)
            #expect(text == "block \(number)")
            let points = table.leaves(ofBlock: number).map(SampleHierarchy.place)
            #expect(try index.hull(ofLeafBlock: number) == GridHull(of: points).corners)
            let leaf = Int64(random.next() % UInt64(sample.leafCount))
            let zoom = Int(random.next() % 23)
            #expect(
                try index.node(holding: leaf, at: zoom).leaves
                    == sample.node(holding: leaf, at: zoom).leaves)
            guard let cluster = clusters.randomElement(using: &random) else { continue }
            let id = index.description.id(of: cluster)
            #expect(try index.cluster(id) == cluster)
            #expect(try index.parent(of: id)?.key == cluster.parent)
            let children = sample.level(cluster.expansionZoom, of: cluster.leaves).map(\.leaves)
            let offset = Int(random.next() % UInt64(children.count))
            let page = try index.children(of: id, offset: Int64(offset), limit: 3)
            #expect(page.nodes.map(\.leaves) == Array(children.dropFirst(offset).prefix(3)))
            #expect(page.total == Int64(children.count))
            let isLarge = cluster.leafCount > layout
            #expect(try (index.outline(of: cluster.key) != nil) == isLarge)
        }
        #expect(throws: ArchiveError.unknownCluster(path: path, id: PlaceID.least)) {
            try index.cluster(PlaceID.least)
        }
    }

    /// All other blocks are made so that reading one fails.
    @Test func `what a cluster comes apart into is in its block, and no other is read`() throws {
        let layout = Int64(25)
        let sample = SampleHierarchy(leafCount: 300, seed: 11)
        let path = directory.file("a.mbtiles")
        let clusters = try sample.write(to: path, in: layout)
        let table = try Archive(path: path).leafBlockTable()
        let sound = try Data(contentsOf: URL(filePath: path))
        var asked = 0
        for block in 0..<table.count {
            try sound.write(to: URL(filePath: path))
            try Database(path: path, mode: .readWriteCreate).execute(
                "UPDATE covey_blocks SET data = x'00' WHERE block < \(table.count) AND block <> \(block)"
            )
            var index = try Archive(path: path).openClusters()
            for cluster in clusters
            where table.leaves(ofBlock: block).contains(cluster.key.firstLeaf) {
                guard cluster.leafCount <= 25 else { continue }
                let children = sample.level(cluster.expansionZoom, of: cluster.leaves)
                let found = try index.children(of: index.description.id(of: cluster))
                #expect(found.nodes.map(\.leaves) == children.map(\.leaves))
                asked += 1
            }
        }
        #expect(asked > 50)
    }

    @Test func `each id leads to its block, and those of large clusters are in no page`() throws {
        let layout = Int64(25)
        let path = directory.file("a.pmtiles")
        let clusters = try SampleHierarchy(leafCount: 900, seed: 8).write(to: path, in: layout)
        let archive = try Archive(path: path)
        let table = try archive.leafBlockTable()
        let description = try #require(archive.description).get()
        let wanted = clusters.filter { $0.leafCount <= 25 }.map { cluster in
            (description.id(of: cluster), table.block(ofLeaf: cluster.key.firstLeaf))
        }
        let pages = try archive.scanIDs()
        var found: [Int64: Int64] = [:]
        while let ids = try pages.next() { for (id, block) in ids { found[id] = block } }
        #expect(found == Dictionary(uniqueKeysWithValues: wanted) && wanted.count > 100)
        #expect(wanted.count < clusters.count)
    }
}

extension Archive {
    func allClusters() throws -> [ClusterRow] {
        var rows: [ClusterRow] = []
        let scan = try scanClusters()
        while let row = try scan.next() { rows.append(row) }
        return rows
    }
}
