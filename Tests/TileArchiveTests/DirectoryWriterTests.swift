import Compression
import Testing

@testable import TileArchive

/// Directories of more entries than the root has room for.
struct DirectoryWriterTests {
    typealias Entry = PMTilesDirectory.Entry

    private func entries(in packed: [UInt8]) throws -> [Entry] {
        var inflater = GzipInflater()
        let bytes = try inflater.inflate(packed.span, limit: 1 << 20)
        return try PMTilesDirectory(bytes.span).entries
    }

    /// - Returns: How many leaf directories there are, and how large the root is.
    private func expectAll(
        _ count: Int, rootBytes: Int
    ) throws -> (leaves: Int, rootBytes: Int) {
        var writer = DirectoryWriter()
        let wanted = (0..<UInt64(count)).map {
            Entry(id: 3 * $0, offset: 10 * $0, length: 10, run: 1)
        }
        for entry in wanted { writer.append(entry) }
        let (root, leaves) = writer.finish(rootBytes: rootBytes)
        #expect(root.count <= rootBytes)
        let parts = try entries(in: root)
        guard parts.first?.run == 0 else {
            #expect(parts == wanted && leaves.isEmpty)
            return (0, root.count)
        }
        var found: [Entry] = []
        for part in parts {
            let start = Int(part.offset)
            let leaf = try entries(in: Array(leaves[start..<start + Int(part.length)]))
            #expect(part.run == 0 && leaf.first?.id == part.id)
            found += leaf
        }
        #expect(found == wanted)
        return (parts.count, root.count)
    }

    @Test func `each two leaves become one until the root has room for them, and none is lost`()
        throws
    {
        let count = 4 * DirectoryWriter.entriesInLeaf + 9
        var least = try expectAll(count, rootBytes: 1 << 14)
        #expect(least.leaves == 5)
        for leaves in [3, 2, 1] {
            least = try expectAll(count, rootBytes: least.rootBytes - 1)
            #expect(least.leaves == leaves)
        }
        #expect(try expectAll(20, rootBytes: 1 << 14).leaves == 0)
    }
}
