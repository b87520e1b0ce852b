import Compression
import Geometry
import TileArchive

/// Some tiles on their way from one archive to another, one behind another.
struct MovedTiles: Sendable {
    private(set) var tiles: [TileID] = []
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [Int] = []
    /// Tiles that have the bytes of one, which is their first, by its index.
    private var groups: [Int: TileGroup] = [:]
    /// How many bytes they had where they come from.
    private(set) var takenBytes = 0
    /// How many bytes they say that they come to.
    private(set) var plainBytes = 0
    /// How many were packed on the way.
    private(set) var packed = 0
    /// How many were written anew.
    var rewritten = 0
    /// What the tiles hold, where that was asked for.
    var figures: DrawnFigures?

    /// Large enough to hide the cost of handing it over; the batches in flight stay within some MiB.
    var isFull: Bool { tiles.count >= 2_048 || bytes.count >= 1 << 19 }

    /// For how many batches it counts.
    var share: Int { plainBytes >> 20 }

    mutating func append(_ tile: TileID, _ contents: Span<UInt8>) {
        unsafe contents.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        takenBytes += contents.count
        plainBytes += GzipInflater.plainSize(of: contents)
        end(tile)
    }

    /// Adds tiles that a scan has come to; if they are several, they follow one another along the curve.
    mutating func append(_ group: TileGroup, from scan: inout TileScan) {
        if !group.runs.isEmpty { groups[tiles.count] = group }
        takenBytes += scan.bytes.count
        plainBytes += GzipInflater.plainSize(of: scan.bytes)
        scan.moveBytes(behind: &bytes)
        end(group.runs.first?.first ?? group.first)
    }

    private mutating func end(_ tile: TileID) {
        tiles.append(tile)
        ends.append(bytes.count)
    }

    /// Adds a tile whose plain bytes are packed here.
    mutating func append(
        _ tile: TileID, packing contents: Span<UInt8>, with compressor: inout GzipCompressor
    ) {
        compressor.compress(contents, appendingTo: &bytes)
        end(tile)
    }

    /// The bytes of a tile.
    func range(at index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    /// The same tiles, all of them gzip.
    func packed(with compressor: inout GzipCompressor) -> MovedTiles {
        let isPacked = tiles.indices.allSatisfy {
            GzipInflater.isGzip(bytes.span.extracting(range(at: $0)))
        }
        guard !isPacked else { return self }
        var result = MovedTiles()
        for (index, tile) in tiles.enumerated() {
            let stored = bytes.span.extracting(range(at: index))
            if GzipInflater.isGzip(stored) {
                result.append(tile, stored)
            } else {
                result.append(tile, packing: stored, with: &compressor)
                result.packed += 1
            }
        }
        result.takenBytes = takenBytes
        result.plainBytes = plainBytes
        result.groups = groups
        return result
    }

    /// Hands the tiles to a sink and counts them.
    func write(to sink: any ArchiveSink, _ report: inout ConversionReport) throws(ArchiveError) {
        if groups.isEmpty {
            try sink.write(tiles, gzip: bytes.span, ends: ends)
        } else {
            for index in tiles.indices {
                let (own, tile) = (bytes.span.extracting(range(at: index)), tiles[index])
                for run in groups[index]?.runs ?? [] { try sink.write(run, gzip: own) }
                if groups[index] == nil { try sink.write([tile], gzip: own, ends: [own.count]) }
            }
        }
        for index in tiles.indices {
            let group = groups[index] ?? TileGroup(tiles[index])
            report.include(group, bytes: range(at: index).count)
        }
        report.packedTiles += packed
        report.rewrittenTiles += rewritten
        if let figures { report.include(figures) }
    }
}
