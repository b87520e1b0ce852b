import Clustering
import Geometry
import Points

/// The crowded tiles of all layers, as the plan leaves them for the cells.
struct CrowdedTiles {
    private let job: CellJob
    private let layers: [Set<TileID>]

    static func write(_ tiles: [[TileID]], of job: CellJob) throws(JobError) {
        var writer = try job.write(job.files.crowded)
        for layer in tiles {
            var sink = BlockSink()
            sink.write(Column(layer.map(\.z)))
            sink.write(Column(layer.map(\.x)))
            sink.write(Column(layer.map(\.y)))
            try writer.append(sink.bytes)
        }
        try writer.finish()
    }

    init(of job: CellJob) throws {
        self.job = job
        guard job.plan.pointLimits.contains(where: { $0 != nil }) else {
            layers = []
            return
        }
        var (reader, _) = try job.read(job.files.crowded)
        layers = try job.plan.layers.map { _ in
            var source = try reader.block()
            return try reader.decode { () throws(BlockSource.Damaged) in
                let zs: Column<UInt8> = try source.column()
                let (xs, ys): (Column<UInt32>, Column<UInt32>) = (
                    try source.column(), try source.column()
                )
                guard xs.count == zs.count, ys.count == zs.count else {
                    throw BlockSource.Damaged()
                }
                var tiles: Set<TileID> = []
                for index in 0..<zs.count {
                    guard
                        let tile = TileID(
                            zoom: Int(zs[index]), column: Int(xs[index]), row: Int(ys[index]))
                    else { throw BlockSource.Damaged() }
                    tiles.insert(tile)
                }
                return tiles
            }
        }
    }

    /// From which zoom on the points of a layer take part in clusters; nil where it is one for all.
    func entryZooms(of table: PointTable, layer: Int) -> EntryZooms? {
        guard job.plan.pointLimits[layer] != nil else { return nil }
        let tiles = layers[layer]
        let options = job.layerOptions[layer]
        var entries = EntryZooms(usual: options.maxZoom, count: table.count)
        for row in 0..<table.count {
            let place = table.position(of: row).inSquare(wraps: options.wrap)
            var zoom = options.maxZoom
            while zoom < Int(job.plan.maxZoom),
                tiles.contains(TileID(holding: place, zoom: UInt8(zoom + 1)))
            { zoom += 1 }
            if zoom > options.maxZoom { entries.set(row, to: zoom) }
        }
        return entries
    }
}
