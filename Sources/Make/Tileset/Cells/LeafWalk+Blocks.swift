import ArchiveContract
import Geometry
import Pipelines
import Points

extension LeafWalk.Stretch {
    /// The blocks that it consists of.
    func blocks(_ job: CellJob, in layout: LeafBlockLayout) -> [LeafBlock] {
        let all = Int64(leaves.lowerBound)..<Int64(leaves.upperBound)
        let firstLeaves = job.firstLeaves
        // Where the clusters of each part go on.
        var next = parts.map { _ in 0 }
        return BlockParts(of: all, in: layout).map { block in
            var runs: [LeafRun] = []
            var clusters: [ClusterRecord] = []
            for (index, part) in parts.enumerated() {
                let first = firstLeaves[part.layer]
                let start = first + Int(part.nodes.leafNumbers[0])
                let rows =
                    (Int(block.leaves.lowerBound) - start..<Int(block.leaves.upperBound) - start)
                    .clamped(to: 0..<part.nodes.points.count)
                guard !rows.isEmpty else { continue }
                runs.append(
                    LeafRun(
                        layer: job.recipe.layers[part.layer].name, table: part.nodes.points,
                        rows: Array(UInt32(rows.lowerBound)..<UInt32(rows.upperBound))))
                while let record = part.record(next[index], firstLeaf: first),
                    record.key.firstLeaf < block.leaves.upperBound
                {
                    clusters.append(record)
                    next[index] += 1
                }
            }
            return LeafBlock(
                number: block.block, leaves: block.leaves, runs: runs, clusters: clusters)
        }
    }
}

extension LeafWalk.Part {
    /// The row of a cluster; nil behind the last.
    fileprivate func record(_ cluster: Int, firstLeaf: Int) -> ClusterRecord? {
        let nodes = nodes.nodes
        guard cluster < nodes.firsts.count else { return nil }
        let leaf = Int64(firstLeaf) + Int64(nodes.firsts[cluster])
        return ClusterRecord(
            key: ClusterKey(firstLeaf: leaf, zoom: UInt8(nodes.zooms[cluster])),
            leafCount: Int64(nodes.leaves[cluster]),
            position: GridPoint(WorldPoint(x: nodes.xs[cluster], y: nodes.ys[cluster])),
            parent: parents[cluster])
    }
}

/// What each block is to say of those behind it, and the points that it is to have a copy of: found by a
/// walk of its own before blocks are made.
struct WalkedBlocks: Sendable {
    private(set) var reaches: [BlockReach] = []
    private var copies: [Int: LeafRun] = [:]

    init(
        _ walk: LeafWalk, _ job: CellJob, in layout: LeafBlockLayout, progress: (Int) -> Void
    ) throws {
        var reachWalk = ReachWalk(layout)
        try OrderedPipeline(threads: job.options.threads).run(
            next: {
                try job.checkCancelled()
                return try walk.next()
            },
            state: {},
            work: { _, stretch in stretch.blocks(job, in: layout).map { ($0, $0.walked) } },
            consume: { blocks in
                for (block, walked) in blocks {
                    for wanted in try reachWalk.enter(walked) { keep(wanted, of: block) }
                    progress(Int(block.number) + 1)
                }
            })
        reaches = try reachWalk.finish()
    }

    func copies(for block: Int64) -> LeafRun? { copies[Int(block)] }

    private mutating func keep(_ wanted: ReachWalk.Wanted, of block: LeafBlock) {
        // A layer's clusters end with it, and so do the copies for them.
        var index = Int(wanted.leaf - block.leaves.lowerBound)
        for run in block.runs {
            if index < run.rows.count {
                copies[wanted.block, default: LeafRun(emptyAs: run)].append(
                    run.rows[index], of: run)
                return
            }
            index -= run.rows.count
        }
    }
}

extension LeafRun {
    fileprivate init(emptyAs other: LeafRun) {
        layer = other.layer
        table = PointTable(keys: other.table.attributes.keys)
        rows = []
    }

    /// Appends a point, unless those that are here weigh as much as a block copies.
    fileprivate mutating func append(_ row: UInt32, of run: LeafRun) {
        let most = ClusterBlock.mostCopiedWeight
        guard weights.reduce(0, +) <= most else { return }
        table.append(PointBatch([row].span, of: run.table))
        rows.append(UInt32(rows.count))
    }
}
