import Compression
import Synchronization
import Testing

@testable import TileArchive

/// Leaf directories larger than those of most archives.
struct LargeDirectoryTests {
    /// An archive in memory that counts how often it is read.
    private final class CountedSource: RangeSource {
        let path = "memory.pmtiles"
        let all: [UInt8]
        let reads = Atomic(0)

        init(_ all: [UInt8]) { self.all = all }

        var byteCount: Int { all.count }

        func bytes(_ range: Range<Int>) throws(ArchiveError) -> [UInt8] {
            reads.add(1, ordering: .relaxed)
            return Array(all[range])
        }
    }

    @Test(arguments: [1_000, 131_072, 1 << 18])
    func `a leaf directory is read once for many tiles, however large it is`(size: Int) throws {
        typealias Entry = PMTilesDirectory.Entry
        let entries = (0..<UInt64(size)).map { Entry(id: $0, offset: 0, length: 1, run: 1) }
        var gzip = GzipCompressor()
        let leaf = gzip.compress(PMTilesDirectory(entries).bytes.span)
        let above = Entry(id: 0, offset: 0, length: UInt32(leaf.count), run: 0)
        let root = gzip.compress(PMTilesDirectory([above]).bytes.span)
        var header = PMTilesHeader()
        header.root = .init(offset: 127, length: UInt64(root.count))
        header.metadata = .init(offset: 127 + UInt64(root.count), length: 0)
        header.leaves = .init(offset: header.metadata.offset, length: UInt64(leaf.count))
        header.tiles = .init(offset: header.leaves.offset + UInt64(leaf.count), length: 1)
        let source = CountedSource(header.bytes + root + leaf + [1])
        let file = try PMTilesFile(source)
        let before = source.reads.load(ordering: .relaxed)
        for id in [5, UInt64(size) - 1, 5] { #expect(try file.entry(for: id)?.id == id) }
        #expect(source.reads.load(ordering: .relaxed) == before + 1)
    }
}
