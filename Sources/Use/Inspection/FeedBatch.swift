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
    private static let mostPlainBytes = 2 << 20

    mutating func append(_ group: TileGroup, _ stored: Span<UInt8>) {
        let start = bytes.count
        unsafe stored.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        plainBytes += max(stored.count, GzipInflater.claimedSize(of: stored) ?? 0)
        entries.append(Entry(group: group, bytes: start..<bytes.count))
    }
}
