import Compression
import TileArchive

/// Some tiles of an archive as they are stored, one after another.
struct FeedBatch: Sendable {
    struct Entry: Sendable {
        var group: TileGroup
        var bytes: Range<Int>
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []

    /// Whether the batch is worth a worker's turn: enough to hide the cost of handing it over, and
    /// small enough that the batches in flight stay within a few MiB.
    var isFull: Bool {
        entries.count >= 1_024 || bytes.count >= 1 << 19 || plainBytes >= Self.mostPlainBytes
    }

    /// How many bytes the tiles say that they come to: what is found in them is held until the batch is done.
    private var plainBytes = 0
    private static let mostPlainBytes = 512 << 10

    /// For how many batches it counts: what is made of a tile takes ten times as much as the tile.
    var share: Int { plainBytes / Self.mostPlainBytes }

    /// Adds the tiles that a scan has come to.
    mutating func append(_ group: TileGroup, from scan: inout GroupScan) {
        let start = bytes.count
        plainBytes += GzipInflater.plainSize(of: scan.bytes)
        scan.moveBytes(behind: &bytes)
        entries.append(Entry(group: group, bytes: start..<bytes.count))
    }
}
