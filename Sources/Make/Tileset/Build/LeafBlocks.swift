import ArchiveContract
import Compression
import Geometry
import Points
import TileArchive
import VectorTile

/// Leaves of one layer, as rows of a table.
struct LeafRun: Sendable {
    let layer: String
    let table: PointTable
    let rows: [UInt32]

    var points: [GridPoint] { rows.map { GridPoint(table.position(of: Int($0))) } }
}

/// The points of a block in leaf order, and the clusters that lie in it: the data for questions
/// about the members of clusters (docs/archive.md).
struct LeafBlock: Sendable {
    let leaves: Range<Int64>
    let run: LeafRun
    let clusters: [ClusterRecord]
}

/// Encodes blocks of leaves. Each worker has its own.
struct LeafBlockEncoder: ~Copyable {
    private var builder: TileBuilder
    private var compressor: GzipCompressor

    init(keys names: [String], compression: Int) {
        builder = TileBuilder(keys: names)
        compressor = GzipCompressor(level: compression)
    }

    mutating func encode(_ block: LeafBlock) -> EncodedBlock {
        let run = block.run
        builder.beginLayer(run.layer, extent: LeafBlockLayout.extent)
        for row in run.rows {
            let grid = GridPoint(run.table.position(of: Int(row)))
            builder.addPoint(Int(row), of: run.table, x: grid.x, y: grid.y)
        }
        builder.endLayer()
        var points: [UInt8] = []
        builder.compress(with: &compressor, appendingTo: &points)
        builder.removeAll()
        let index = ClusterBlock(
            leaves: block.leaves, hull: GridHull(wrapping: run.points).corners, rows: block.clusters
        )
        return EncodedBlock(index, points: points, with: &compressor)
    }
}
