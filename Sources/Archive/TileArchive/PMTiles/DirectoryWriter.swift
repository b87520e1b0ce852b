import Compression

/// Makes the directories of an archive from entries that come by ascending id, and keeps only their compressed
/// bytes: two or three an entry.
struct DirectoryWriter: ~Copyable {
    typealias Entry = PMTilesDirectory.Entry

    private var waiting: [Entry] = []
    private var leaves: [LeafDirectory] = []
    private var count = 0
    private var compressor = GzipCompressor()

    /// Adds an entry.
    mutating func append(_ entry: Entry) {
        waiting.append(entry)
        count += 1
        // The last entry stays open, as its run may grow.
        guard waiting.count > LeafDirectory.entries else { return }
        let some = Array(waiting.prefix(LeafDirectory.entries))
        leaves.append(LeafDirectory(some, with: &compressor))
        waiting.removeFirst(some.count)
    }

    /// Adds tiles to the run of the last entry.
    mutating func lengthenLastRun(by count: Int) {
        waiting[waiting.count - 1].run += UInt32(count)
    }

    var last: Entry? { waiting.last }

    /// The compressed root, and all leaves one after another. There are no leaves if the root has room for all
    /// entries.
    mutating func finish() -> (root: [UInt8], leaves: [UInt8]) {
        if leaves.isEmpty { return LeafDirectory.root(of: waiting, with: &compressor) }
        if !waiting.isEmpty { leaves.append(LeafDirectory(waiting, with: &compressor)) }
        let together = LeafDirectory.size(of: count) / LeafDirectory.entries
        if together > 1 {
            leaves = stride(from: 0, to: leaves.count, by: together).map { start in
                joined(leaves[start..<min(start + together, leaves.count)])
            }
        }
        let root = LeafDirectory.root(
            leaves.map { ($0.firstID, $0.bytes.count) }, with: &compressor)
        return (root, leaves.flatMap(\.bytes))
    }

    private mutating func joined(_ leaves: ArraySlice<LeafDirectory>) -> LeafDirectory {
        var inflater = GzipInflater()
        let entries = leaves.flatMap { leaf in
            let bytes = (try? inflater.inflate(leaf.bytes.span, limit: .max)) ?? []
            let directory = try? PMTilesDirectory(bytes.span)
            guard let directory else { preconditionFailure("cannot read an own directory") }
            return directory.entries
        }
        return LeafDirectory(entries, with: &compressor)
    }
}

/// A compressed leaf directory.
package struct LeafDirectory: Sendable {
    package let firstID: UInt64
    package let bytes: [UInt8]

    /// The entries of a leaf. They take some 10 kB compressed, which a reader over HTTP fetches for one tile.
    package static let entries = 4_096
    /// The leaves that a root has room for, whatever their ids and lengths: an id takes at most six bytes more
    /// than the one before, a length four, and the rest is the same for all.
    private static let most = 1_500

    /// With more entries, a leaf would be larger than readers accept.
    package static let mostEntries = most * PMTilesDirectory.mostEntries

    /// - Parameter entries: at least one.
    package init(
        _ entries: [PMTilesDirectory.Entry], with compressor: inout GzipCompressor
    ) {
        firstID = entries[0].id
        bytes = compressor.compress(PMTilesDirectory(entries).bytes.span)
    }

    /// How many entries each leaf has, in an archive with `count` entries.
    package static func size(of count: Int) -> Int {
        var size = entries
        while (count + size - 1) / size > most { size *= 2 }
        return size
    }

    /// The compressed root of a few entries; if it has no room for them, also one leaf.
    package static func root(
        of entries: [PMTilesDirectory.Entry], with compressor: inout GzipCompressor
    ) -> (root: [UInt8], leaves: [UInt8]) {
        let root = compressor.compress(PMTilesDirectory(entries).bytes.span)
        guard root.count > PMTilesHeader.largestRoot else { return (root, []) }
        let leaf = LeafDirectory(entries, with: &compressor)
        return (self.root([(leaf.firstID, leaf.bytes.count)], with: &compressor), leaf.bytes)
    }

    /// The compressed root over leaves.
    /// - Parameter leaves: the first id of each, and its bytes.
    package static func root(
        _ leaves: [(firstID: UInt64, count: Int)], with compressor: inout GzipCompressor
    ) -> [UInt8] {
        var offset: UInt64 = 0
        let root = PMTilesDirectory(
            leaves.map { firstID, count in
                defer { offset += UInt64(count) }
                return .init(id: firstID, offset: offset, length: UInt32(count), run: 0)
            })
        return compressor.compress(root.bytes.span)
    }
}
