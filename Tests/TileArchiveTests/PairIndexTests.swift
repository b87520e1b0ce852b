import ArchiveContract
import Foundation
import Geometry
import TestSupport
import Testing
import TileArchive

/// Questions to an archive whose clusters lie in blocks, in any order: against a search through all clusters.
struct PairIndexTests {
    let directory = try! TemporaryDirectory()

    @Test(arguments: UInt64(0)..<9)
    func `answers are those of a search, whatever was asked before`(seed: UInt64) throws {
        let layout = try #require(LeafBlockLayout(leavesPerBlock: [4, 25, 60][Int(seed % 3)]))
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
            let isLarge = cluster.leafCount > layout.leavesPerBlock
            #expect(try (index.outline(of: cluster.key) != nil) == isLarge)
        }
        #expect(throws: ArchiveError.unknownCluster(path: path, id: PlaceID.least)) {
            try index.cluster(PlaceID.least)
        }
    }

    @Test func `each id leads to its block, and those of large clusters are in no page`() throws {
        let layout = try #require(LeafBlockLayout(leavesPerBlock: 25))
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
        var scan = try scanClusters()
        while let row = try scan.next() { rows.append(row) }
        return rows
    }
}
