import Compression
import TileArchive

/// Some stored tiles of an archive, one after another.
struct FeedBatch: Sendable {
    struct Entry: Sendable {
        var group: TileGroup
        var bytes: Range<Int>
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []

    /// Whether the batch is large enough: handing it over must cost little in comparison, and the
    /// batches in flight must stay within a few MiB.
    var isFull: Bool {
        entries.count >= 1_024 || bytes.count >= 1 << 19 || plainBytes >= Self.mostPlainBytes
    }

    /// The size that the tiles claim to have inflated; findings about them are held until the batch is done.
    private var plainBytes = 0
    private static let mostPlainBytes = 512 << 10

    /// The number of batches that it counts for: the results for a tile take ten times as much memory as the tile.
    var share: Int { plainBytes / Self.mostPlainBytes }

    /// Adds the tiles at which the scan is.
    mutating func append(_ group: TileGroup, from scan: inout GroupScan) {
        let start = bytes.count
        plainBytes += GzipInflater.plainSize(of: scan.bytes)
        scan.moveBytes(behind: &bytes)
        entries.append(Entry(group: group, bytes: start..<bytes.count))
    }
}
