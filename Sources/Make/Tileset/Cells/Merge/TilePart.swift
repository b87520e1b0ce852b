import Geometry
import Points
import TileArchive

/// The tiles of one zoom in a file, along the Hilbert curve.
struct TileIndex: Sendable {
    let zoom: UInt8
    private(set) var xs = Column<UInt32>()
    private(set) var ys = Column<UInt32>()
    private(set) var lengths = Column<UInt32>()
    /// Sums of what each tile shows, where a later job may ask for them.
    private(set) var sums = Column<UInt64>()

    init(zoom: UInt8) { self.zoom = zoom }

    var count: Int { xs.count }

    fileprivate mutating func append(_ tiles: EncodedTiles) {
        tiles.forEach { append($0.tile, bytes: UInt32($1), sum: $0.sum) }
    }

    mutating func append(_ tile: TileID, bytes: UInt32, sum: UInt64?) {
        xs.append(tile.x)
        ys.append(tile.y)
        lengths.append(bytes)
        if let sum { sums.append(sum) }
    }

    func tile(_ index: Int) -> TileID { TileID(z: zoom, x: xs[index], y: ys[index]) }

    /// The start of each tile in the stream, and the end of the last.
    var offsets: [Int] {
        var offsets = [0]
        offsets.reserveCapacity(count + 1)
        for tile in 0..<count { offsets.append(offsets[tile] + Int(lengths[tile])) }
        return offsets
    }

    /// Writes each tile by its step from the one before, as tiles that follow one another are near each other.
    func write(to sink: inout BlockSink) {
        sink.write(varint: count)
        var (lastX, lastY): (UInt32, UInt32) = (0, 0)
        for tile in 0..<count {
            let (x, y) = (xs[tile], ys[tile])
            sink.write(step: x &- lastX)
            sink.write(step: y &- lastY)
            sink.write(varint: Int(lengths[tile]))
            (lastX, lastY) = (x, y)
        }
        sink.write(sums)
    }

    fileprivate init(zoom: UInt8, _ source: inout BlockSource) throws(BlockSource.Damaged) {
        self.zoom = zoom
        let count = try source.varint()
        var (x, y): (UInt32, UInt32) = (0, 0)
        for _ in 0..<count {
            x &+= try source.step()
            y &+= try source.step()
            xs.append(x)
            ys.append(y)
            lengths.append(try source.narrow())
        }
        sums = try source.column()
        guard [0, count].contains(sums.count) else { throw BlockSource.Damaged() }
    }
}

/// The tiles of one zoom in a file.
struct PartZoom: Equatable, Sendable {
    let zoom: UInt8
    let tiles: Int
    let stream: JobStream
    /// The range of the block of its index, including the block's head.
    let index: Range<Int>
}

/// Writes the file of a part's tiles.
struct TilePartWriter: ~Copyable {
    private let cells: CellDivision
    private var writer: JobFileWriter
    /// For each zoom its index, which comes after all tiles, as they are read together.
    private var zooms: [(index: TileIndex, stream: JobStream)] = []
    private var figures = TileFigures()
    private var open: (index: TileIndex, stream: JobStreamWriter)?

    init(_ path: String, _ job: CellJob) throws {
        cells = job.division
        writer = try job.write(path)
    }

    mutating func append(_ tiles: EncodedTiles) throws {
        if open?.index.zoom != tiles.grid.zoom {
            try endZoom()
            open = (TileIndex(zoom: tiles.grid.zoom), JobStreamWriter(in: writer))
        }
        figures.include(tiles)
        open?.index.append(tiles)
        try open?.stream.append(tiles.bytes.span, to: &writer)
    }

    private mutating func endZoom() throws {
        guard let (index, begun) = open else { return }
        open = nil
        var writing = begun
        zooms.append((index, try writing.finish(&writer)))
    }

    private mutating func writeIndexes() throws -> [PartZoom] {
        var written: [PartZoom] = []
        for (index, stream) in zooms {
            var sink = BlockSink()
            index.write(to: &sink)
            written.append(
                PartZoom(
                    zoom: index.zoom, tiles: index.count, stream: stream,
                    index: try writer.append(sink.bytes)))
        }
        return written
    }

    mutating func finish(
        _ drawn: DrawnBoxes, leftOut: [UInt8: Int], _ ids: [SortedIDs], inputs: UInt64?
    ) throws {
        try endZoom()
        let zooms = try writeIndexes()
        var layers: [[IDRun]] = []
        for ids in ids {
            var runs: [IDRun] = []
            for (cell, ids) in ids.byCell(in: cells) {
                let bytes = try writer.append(ids.bytes)
                runs.append(IDRun(cell: cell, bytes: bytes, sum: ids.sum))
            }
            layers.append(runs)
        }
        var tail = BlockSink()
        tail.write(drawn, zooms, leftOut, figures, layers, inputs)
        try writer.finish(tail: tail)
    }
}

extension BlockSink {
    /// Writes a signed step; small steps back are small numbers, too.
    fileprivate mutating func write(step: UInt32) {
        let signed = Int32(bitPattern: step)
        write(varint: Int(UInt32(bitPattern: signed << 1 ^ signed >> 31)))
    }
}

extension BlockSource {
    fileprivate mutating func narrow() throws(Damaged) -> UInt32 {
        guard let number = UInt32(exactly: try varint()) else { throw Damaged() }
        return number
    }

    /// A signed step, as a number to add.
    fileprivate mutating func step() throws(Damaged) -> UInt32 {
        let number = try narrow()
        return number >> 1 ^ (0 &- (number & 1))
    }
}

extension PartZoom: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init, \.zoom, \.tiles, \.stream, \.index) { $0.tiles >= 0 }
    }
}

/// The tiles of a part of the world, read from a file.
struct PartTiles: Sendable {
    /// The boxes of what it draws.
    let drawn: DrawnBoxes
    /// The number of tiles of each zoom that were left out.
    let leftOut: [UInt8: Int]
    let figures: TileFigures
    let zooms: [PartZoom]
    /// The ids of each layer's clusters.
    let ids: [[IDRun]]
    /// A sum over all that the file depends on, where it is known.
    let inputs: UInt64?
    let reader: JobFileReader

    init(_ path: String, _ job: CellJob) throws {
        reader = try job.read(path).reader
        (drawn, zooms, leftOut, figures, ids, inputs) = try reader.tail()
        guard job.mayHave(ids) else { throw JobError.damaged(path: path) }
    }

    func tiles(at zoom: UInt8) -> PartZoom? { zooms.first { $0.zoom == zoom } }
}

extension PartZoom {
    func read(_ reader: JobFileReader) throws -> TileIndex {
        let zoom = zoom
        let read = try reader.decodeBlock(at: index.lowerBound) {
            (source) throws(BlockSource.Damaged) in try TileIndex(zoom: zoom, &source)
        }
        let bytes = (0..<read.count).reduce(0) { $0 + Int(read.lengths[$1]) }
        guard read.count == tiles, bytes == stream.count else {
            throw JobError.damaged(path: reader.path)
        }
        return read
    }
}
