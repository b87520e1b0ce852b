import ArchiveContract
import Compression
import Foundation
import Geometry
import TestSupport
import Testing
import TileArchive

/// Questions to an archive whose clusters lie in blocks, in any order: against a search through all clusters.
struct PairIndexTests {
    let directory = try! TemporaryDirectory()

    /// Writes the sample as a pair, with blocks of so few points that there are many.
    private func archive(_ sample: SampleHierarchy, _ layout: LeafBlockLayout) throws -> Archive {
        var gzip = GzipCompressor(level: 1)
        var blocks: [ReachWalk.Block] = []
        for number in 0..<layout.blockCount(forLeaves: sample.leafCount) {
            let leaves = layout.leaves(ofBlock: number).clamped(to: 0..<sample.leafCount)
            blocks.append(
                ReachWalk.Block(
                    leaves: leaves,
                    points: leaves.map { GridPoint(x: Int32($0 % 7), y: Int32($0)) },
                    clusters: sample.clusters.filter { leaves.contains($0.key.firstLeaf) }))
        }
        var walk = ReachWalk(layout)
        for block in blocks { _ = try walk.enter(block) }
        let path = directory.file("a.pmtiles")
        let sink = try PMTiles.sink(to: path, options: SinkOptions())
        for (number, reach) in try walk.finish().enumerated() {
            let leaves = layout.leaves(ofBlock: Int64(number)).clamped(to: 0..<sample.leafCount)
            let index = reach.index(
                ofBlock: Int64(number), leaves: leaves,
                clusters: sample.clusters.filter { leaves.contains($0.key.firstLeaf) },
                weights: []
            ) { _ in [] }
            let points = gzip.compress(Array("block \(number)".utf8).span)
            try sink.write(EncodedBlock(index, leaves: points, with: &gzip))
        }
        var metadata = ArchiveMetadata(name: "a")
        var account = SampleHierarchy.description(leafCount: sample.leafCount)
        account.blockLayout = layout
        metadata.covey = account.json
        try sink.finish(metadata)
        return try Archive(path: path)
    }

    @Test(arguments: UInt64(0)..<6)
    func `answers are those of a search, whatever was asked before`(seed: UInt64) throws {
        let layout = try #require(LeafBlockLayout(leavesPerBlock: [4, 25, 60][Int(seed % 3)]))
        let sample = SampleHierarchy(leafCount: 60 + 40 * Int64(seed), seed: seed)
        var index = try archive(sample, layout).openClusters()
        var random = SeededRandom(seed: seed)
        let blocks = layout.blockCount(forLeaves: sample.leafCount)
        for _ in 0..<60 {
            let number = Int64(random.next() % UInt64(blocks))
            let text = String(decoding: try index.leafBlock(number, limit: 100), as: UTF8.self)
            #expect(text == "block \(number)")
            let leaves = layout.leaves(ofBlock: number).clamped(to: 0..<sample.leafCount)
            let points = leaves.map { GridPoint(x: Int32($0 % 7), y: Int32($0)) }
            #expect(try index.hull(ofLeafBlock: number) == GridHull(of: points).corners)
            let leaf = Int64(random.next() % UInt64(sample.leafCount))
            let zoom = Int(random.next() % 23)
            #expect(try index.node(holding: leaf, at: zoom) == sample.node(holding: leaf, at: zoom))
            guard let cluster = sample.clusters.randomElement(using: &random) else { continue }
            let id = sample.id(of: cluster)
            #expect(try index.cluster(id) == cluster)
            #expect(try index.parent(of: id)?.key == cluster.parent)
            let children = sample.level(cluster.expansionZoom, of: cluster.leaves)
            let offset = Int(random.next() % UInt64(children.count))
            let page = try index.children(of: id, offset: Int64(offset), limit: 3)
            #expect(page.nodes == Array(children.dropFirst(offset).prefix(3)))
            #expect(page.total == Int64(children.count))
        }
    }
}
