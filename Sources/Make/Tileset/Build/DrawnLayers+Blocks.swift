import ArchiveContract
import Clustering
import Geometry
import Pipelines
import Points

/// Blocks of leaves, in which leaves are numbered as in the archive.
extension DrawnLayers {
    func block(_ number: Int64, in layout: LeafBlockLayout) -> LeafBlock {
        let leaves = layout.leaves(ofBlock: number).clamped(to: 0..<Int64(leafCount))
        var runs: [LeafRun] = []
        var clusters: [ClusterRecord] = []
        for layer in layers {
            let first = Int64(layer.firstLeaf)
            let own = leaves.clamped(to: first..<first + Int64(layer.tree.leafCount))
            guard !own.isEmpty else { continue }
            runs.append(layer.run(of: Array(own)))
            let starts = Int(own.lowerBound - first)..<Int(own.upperBound - first)
            for cluster in layer.tree.clusters(startingIn: starts) {
                clusters.append(layer.record(of: cluster))
            }
        }
        return LeafBlock(number: number, leaves: leaves, runs: runs, clusters: clusters)
    }

    /// Some leaves of one layer; nil if there are none.
    func run(of leaves: [Int64]) -> LeafRun? {
        guard let first = leaves.first else { return nil }
        return layers.last { Int64($0.firstLeaf) <= first }?.run(of: leaves)
    }

    /// What each block is to say of those behind it.
    func reaches(in layout: LeafBlockLayout, threads: Int) throws -> [BlockReach] {
        var walk = ReachWalk(layout)
        let count = Int(layout.blockCount(forLeaves: Int64(leafCount)))
        let pieces = PieceCounter(total: count, size: 1)
        try OrderedPipeline(threads: threads).run(
            next: { pieces.next() }, state: {},
            work: { _, piece in self.block(Int64(piece.lowerBound), in: layout).walked },
            consume: { _ = try walk.enter($0) })
        return try walk.finish()
    }
}

extension DrawnLayer {
    fileprivate func run(of leaves: [Int64]) -> LeafRun {
        LeafRun(
            layer: name, table: table, rows: leaves.map { leafRows[Int($0) - firstLeaf] })
    }

    fileprivate func record(of cluster: Int) -> ClusterRecord {
        let position = WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster])
        return ClusterRecord(
            key: key(of: cluster), leafCount: Int64(tree.leaves[cluster]),
            position: GridPoint(position),
            parent: tree.parent(of: .cluster(cluster)).map { key(of: $0) })
    }

    private func key(of cluster: Int) -> ClusterKey {
        ClusterKey(
            firstLeaf: Int64(firstLeaf + Int(tree.firsts[cluster])),
            zoom: UInt8(tree.zooms[cluster]))
    }
}
