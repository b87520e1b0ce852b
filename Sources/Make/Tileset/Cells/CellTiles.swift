import ArchiveContract
import Geometry
import Pipelines
import Points
import Recipes
import TileArchive

/// Makes the tiles of a part of the world, and writes them to a file.
///
/// The file holds blocks of tiles as archives keep them, and behind the last an index for each zoom, and
/// where these lie, and how many tiles were left out.
struct CellTiles {
    private let job: CellJob

    init(_ job: CellJob) { self.job = job }

    /// - Parameters:
    ///   - cell: the square whose tiles are made; nil for all.
    ///   - depth: what leaves some of them out.
    func write(
        _ drawn: DrawnLayers, _ zooms: [UInt8], in cell: TileID?, _ depth: VariableDepth?,
        to path: String
    ) throws {
        let nodes = drawn.nodes(maxZoom: job.zooms.maxZoom, threads: job.options.threads)
        let grids = zooms.map { job.zooms.grid(at: $0) }
        let batches = TileBatches(
            of: nodes, grids: grids, order: .byColumn, depth, within: cell)
        let keys = drawn.keyNames
        let compression = job.recipe.tiles.compression
        var writer = try job.write(path)
        var indexes: [TileIndex] = []
        let isCancelled = job.options.isCancelled
        try OrderedPipeline(threads: job.options.threads).run(
            next: {
                if isCancelled() { throw BuildError.cancelled }
                return batches.next()
            },
            state: {
                WorkerState(
                    TileEncoder(drawing: drawn, nodes: nodes, keys: keys, compression: compression))
            },
            work: { encoder, batch in encoder.value.encode(batch) },
            consume: { tiles in
                if indexes.last?.zoom != tiles.grid.zoom {
                    indexes.append(TileIndex(zoom: tiles.grid.zoom))
                }
                // Behind the length and the sum of the block.
                indexes[indexes.count - 1].append(tiles, at: writer.size + 16)
                try writer.append(tiles.bytes)
            })
        try Self.finish(&writer, indexes, batches.drawn, leftOut: depth?.leftOut ?? [:])
    }

    private static func finish(
        _ writer: inout JobFileWriter, _ indexes: [TileIndex], _ drawn: DrawnBoxes,
        leftOut: [UInt8: Int]
    ) throws(JobError) {
        var last = BlockSink()
        last.write(drawn)
        last.write(indexes.count)
        for index in indexes {
            last.write(Int(index.zoom))
            last.write(writer.size)
            var sink = BlockSink()
            sink.write(index)
            try writer.append(sink.bytes)
        }
        let zooms = leftOut.keys.sorted()
        last.write(zooms.count)
        for zoom in zooms {
            last.write(Int(zoom))
            last.write(leftOut[zoom] ?? 0)
        }
        last.write(writer.size)
        try writer.append(last.bytes)
        try writer.finish()
    }
}

/// The tiles of one zoom in a file, column by column: as an MBTiles archive wants them.
struct TileIndex: Sendable {
    let zoom: UInt8
    private(set) var columns = Columns()

    struct Columns: Sendable {
        var x = Column<UInt32>()
        var y = Column<UInt32>()
        var offset = Column<Int>()
        var length = Column<UInt32>()
        var sum = Column<UInt64>()
        var features = Column<UInt32>()
        var clusters = Column<UInt32>()
        var ownPoints = Column<UInt32>()
        var pointCount = Column<UInt32>()
        var largest = Column<UInt32>()
    }

    init(zoom: UInt8) { self.zoom = zoom }

    var count: Int { columns.x.count }

    /// Adds tiles whose bytes begin there in the file.
    mutating func append(_ tiles: EncodedTiles, at start: Int) {
        var offset = 0
        for entry in tiles.entries {
            append(
                entry, start + offset..<start + entry.end,
                sum: ByteSum.of(tiles.bytes.span.extracting(offset..<entry.end)))
            offset = entry.end
        }
    }

    private mutating func append(_ entry: EncodedTiles.Entry, _ bytes: Range<Int>, sum: UInt64) {
        columns.x.append(entry.tile.x)
        columns.y.append(entry.tile.y)
        columns.offset.append(bytes.lowerBound)
        columns.length.append(UInt32(bytes.count))
        columns.sum.append(sum)
        columns.features.append(UInt32(entry.features))
        columns.clusters.append(UInt32(entry.clusters))
        columns.ownPoints.append(UInt32(entry.ownPoints))
        columns.pointCount.append(UInt32(entry.pointCount))
        columns.largest.append(UInt32(entry.largestCluster))
    }

    func tile(_ index: Int) -> TileID {
        TileID(z: zoom, x: columns.x[index], y: columns.y[index])
    }

    /// What a report wants to know of a tile.
    func entry(_ index: Int) -> EncodedTiles.Entry {
        var entry = EncodedTiles.Entry(
            tile: tile(index), features: Int(columns.features[index]))
        entry.clusters = Int(columns.clusters[index])
        entry.ownPoints = Int(columns.ownPoints[index])
        entry.pointCount = Int(columns.pointCount[index])
        entry.largestCluster = Int(columns.largest[index])
        return entry
    }

    fileprivate init(zoom: UInt8, columns: Columns) {
        self.zoom = zoom
        self.columns = columns
    }
}

extension BlockSink {
    mutating func write(_ index: TileIndex) {
        let columns = index.columns
        for column in [columns.x, columns.y, columns.length] { write(column) }
        write(columns.offset)
        write(columns.sum)
        for column in [
            columns.features, columns.clusters, columns.ownPoints, columns.pointCount,
            columns.largest,
        ] { write(column) }
    }
}

extension BlockSource {
    mutating func tileIndex(zoom: UInt8) throws(Damaged) -> TileIndex {
        var columns = TileIndex.Columns()
        columns.x = try column()
        columns.y = try column()
        columns.length = try column()
        columns.offset = try column()
        columns.sum = try column()
        columns.features = try column()
        columns.clusters = try column()
        columns.ownPoints = try column()
        columns.pointCount = try column()
        columns.largest = try column()
        let count = columns.x.count
        guard columns.y.count == count, columns.length.count == count,
            columns.offset.count == count, columns.sum.count == count,
            columns.features.count == count, columns.largest.count == count
        else { throw Damaged() }
        return TileIndex(zoom: zoom, columns: columns)
    }
}
