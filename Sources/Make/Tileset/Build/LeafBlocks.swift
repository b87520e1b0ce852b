import ArchiveContract
import Compression
import Geometry
import Points
import TileArchive
import VectorTile

/// Leaves of one layer, as rows of a table.
struct LeafRun: Sendable {
    let layer: String
    var table: PointTable
    var rows: [UInt32]

    var points: [GridPoint] { rows.map { GridPoint(table.position(of: Int($0))) } }
    /// What they weigh in a block.
    var weights: [Int] { rows.map { table.weight(of: Int($0)) } }
}

extension LeafRun {
    /// None of a layer's leaves.
    init(emptyAs other: LeafRun) {
        self.init(
            layer: other.layer, table: PointTable(keys: other.table.attributes.keys), rows: [])
    }

    /// Copies a point, unless those that are here weigh as much as a block copies.
    mutating func append(_ row: UInt32, of run: LeafRun) {
        guard weights.reduce(0, +) <= ClusterBlock.mostCopiedWeight else { return }
        table.append(PointBatch([row].span, of: run.table))
        rows.append(UInt32(rows.count))
    }
}

/// The points of a block in leaf order, and the clusters that begin with them: what answers questions
/// about the members of clusters (see `LeafBlockLayout`).
struct LeafBlock: Sendable {
    let number: Int64
    let leaves: Range<Int64>
    /// The points, layer by layer.
    let runs: [LeafRun]
    let clusters: [ClusterRecord]

    /// What is to be known of it before any block has its index.
    var walked: ReachWalk.Block {
        ReachWalk.Block(leaves: leaves, points: runs.flatMap(\.points), clusters: clusters)
    }
}

/// Encodes blocks of leaves. One a worker.
struct LeafBlockEncoder: ~Copyable {
    private var builder: TileBuilder
    private var compressor: GzipCompressor

    init(keys names: [String], compression: Int) {
        builder = TileBuilder(keys: names)
        compressor = GzipCompressor(level: compression)
    }

    /// Encodes a block.
    /// - Parameters:
    ///   - block: what to encode.
    ///   - walked: what is known of all blocks, where they are to have an index.
    mutating func encode(_ block: LeafBlock, _ walked: WalkedBlocks?) -> EncodedBlock {
        guard let walked else {
            return EncodedBlock(
                number: block.number, leaves: packed(block.runs),
                hull: GridHull(of: block.runs.flatMap(\.points)).corners, clusters: block.clusters)
        }
        let copies = walked.copies(for: block.number)
        let index = walked.reaches[Int(block.number)].index(
            ofBlock: block.number, leaves: block.leaves, clusters: block.clusters,
            weights: copies?.weights ?? []
        ) { count in
            guard var copies else { return [] }
            copies.rows.removeLast(copies.rows.count - count)
            write([copies])
            defer { builder.removeAll() }
            return builder.copyBytes()
        }
        return EncodedBlock(index, leaves: packed(block.runs), with: &compressor)
    }

    private mutating func packed(_ runs: [LeafRun]) -> [UInt8] {
        write(runs)
        defer { builder.removeAll() }
        var bytes: [UInt8] = []
        builder.compress(with: &compressor, appendingTo: &bytes)
        return bytes
    }

    private mutating func write(_ runs: [LeafRun]) {
        for run in runs {
            builder.beginLayer(run.layer, extent: LeafBlockLayout.extent)
            for row in run.rows {
                let grid = GridPoint(run.table.position(of: Int(row)))
                builder.addPoint(Int(row), of: run.table, x: grid.x, y: grid.y)
            }
            builder.endLayer()
        }
    }
}
