import Compression
import Geometry
import TileArchive

/// A batch of tiles on their way from one archive to another.
struct MovedTiles: Sendable {
    private(set) var tiles: [TileID] = []
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [Int] = []
    /// Groups of tiles with the same bytes, by the index of their first tile.
    private var groups: [Int: TileGroup] = [:]
    /// The size of the tiles in their archive.
    private(set) var takenBytes = 0
    /// The size that the tiles claim to have when they are uncompressed.
    private(set) var plainBytes = 0
    /// How many tiles were compressed on the way.
    private(set) var packed = 0
    /// What the tiles hold, if that was asked for.
    var figures: DrawnFigures?

    /// Large enough that handing it over costs little; the batches in flight stay within some MiB.
    var isFull: Bool { tiles.count >= 2_048 || bytes.count >= 1 << 19 }

    /// The number of batches that it counts for.
    var share: Int { plainBytes >> 20 }

    mutating func append(_ tile: TileID, _ contents: Span<UInt8>) {
        unsafe contents.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        takenBytes += contents.count
        plainBytes += GzipInflater.plainSize(of: contents)
        end(tile)
    }

    /// Adds the tiles at which a scan is; several ones are consecutive along the curve.
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

    /// Adds a tile and compresses its plain bytes.
    mutating func append(
        _ tile: TileID, packing contents: Span<UInt8>, with compressor: inout GzipCompressor
    ) {
        compressor.compress(contents, appendingTo: &bytes)
        end(tile)
    }

    /// The range of a tile's bytes.
    func range(at index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    /// The same tiles, all compressed.
    /// - Parameter path: the archive that they are from.
    func packed(
        with compressor: inout GzipCompressor, of path: String
    ) throws(ConversionError) -> MovedTiles {
        let isPacked = tiles.indices.allSatisfy {
            GzipInflater.isGzip(bytes.span.extracting(range(at: $0)))
        }
        guard !isPacked else { return self }
        var result = MovedTiles()
        for (index, tile) in tiles.enumerated() {
            let stored = bytes.span.extracting(range(at: index))
            if GzipInflater.isGzip(stored) {
                result.append(tile, stored)
            } else if stored.count > 0, stored[0] != Self.firstByte {
                throw .damagedTile(
                    path: path, tile: tile.description,
                    reason:
                        "it is neither gzip nor a plain vector tile; if it is compressed in another "
                        + "way, write the archive again with gzip")
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

    /// The tag of a layer, with which every vector tile begins.
    private static let firstByte: UInt8 = 0x1a

    /// Hands the tiles to a sink and counts them.
    func write(to sink: any ArchiveSink, _ report: inout ConversionReport) throws(ArchiveError) {
        for (index, tile) in tiles.enumerated() {
            let own = bytes.span.extracting(range(at: index))
            if let group = groups[index] {
                for run in group.runs { try sink.write(run, gzip: own) }
            } else {
                try sink.write(tile, gzip: own)
            }
            report.include(groups[index] ?? TileGroup(tile), bytes: own.count)
        }
        report.packedTiles += packed
        if let figures { report.include(figures) }
    }
}
