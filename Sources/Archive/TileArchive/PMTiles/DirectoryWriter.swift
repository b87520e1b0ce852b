import Compression

/// Makes the directories of an archive from entries that come by ascending id, and keeps no more of
/// them than their packed bytes: two or three an entry.
struct DirectoryWriter: ~Copyable {
    typealias Entry = PMTilesDirectory.Entry

    /// A leaf directory that is done.
    private struct Leaf {
        var firstID: UInt64
        var bytes: [UInt8]
    }

    private var waiting: [Entry] = []
    private var leaves: [Leaf] = []
    private var compressor = GzipCompressor()

    /// As many as take some 10 kB packed: what a reader over HTTP fetches for one tile. Twice as
    /// many never fit the root.
    static let entriesInLeaf = 4_096

    /// Lengthens the run of the last entry, or adds one.
    mutating func append(_ entry: Entry) {
        waiting.append(entry)
        // The last stays open: its run may grow.
        if waiting.count > 4 * Self.entriesInLeaf { makeLeaves(keeping: 2 * Self.entriesInLeaf) }
    }

    /// Counts more tiles with the contents of the last entry.
    mutating func lengthenLastRun(by count: Int) {
        waiting[waiting.count - 1].run += UInt32(count)
    }

    var last: Entry? { waiting.last }

    private mutating func makeLeaves(keeping kept: Int) {
        var start = 0
        while waiting.count - start > kept {
            let end = min(start + Self.entriesInLeaf, waiting.count)
            leaves.append(leaf(of: Array(waiting[start..<end])))
            start = end
        }
        waiting.removeFirst(start)
    }

    private mutating func leaf(of entries: [Entry]) -> Leaf {
        Leaf(firstID: entries[0].id, bytes: packed(PMTilesDirectory(entries)))
    }

    private mutating func packed(_ directory: PMTilesDirectory) -> [UInt8] {
        compressor.compress(directory.bytes.span)
    }

    /// The root, packed, and all leaves one behind another.
    ///
    /// There are no leaves where the root has room for all entries. Where it has no room even for
    /// the leaves, each two of these become one.
    mutating func finish(rootBytes: Int) -> (root: [UInt8], leaves: [UInt8]) {
        if leaves.isEmpty {
            let root = packed(PMTilesDirectory(waiting))
            if root.count <= rootBytes { return (root, []) }
        }
        makeLeaves(keeping: 0)
        while true {
            let root = packed(root)
            if root.count <= rootBytes { return (root, leaves.flatMap(\.bytes)) }
            leaves = stride(from: 0, to: leaves.count, by: 2).map { start in
                joined(leaves[start..<min(start + 2, leaves.count)])
            }
        }
    }

    private var root: PMTilesDirectory {
        var offset: UInt64 = 0
        return PMTilesDirectory(
            leaves.map { leaf in
                defer { offset += UInt64(leaf.bytes.count) }
                return Entry(
                    id: leaf.firstID, offset: offset, length: UInt32(leaf.bytes.count), run: 0)
            })
    }

    private mutating func joined(_ leaves: ArraySlice<Leaf>) -> Leaf {
        var inflater = GzipInflater()
        let entries = leaves.flatMap { leaf in
            let bytes = (try? inflater.inflate(leaf.bytes.span, limit: .max)) ?? []
            let directory = try? PMTilesDirectory(bytes.span)
            guard let directory else { preconditionFailure("cannot read an own directory") }
            return directory.entries
        }
        return leaf(of: entries)
    }
}
