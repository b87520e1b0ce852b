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

    /// - Returns: How many leaf directories there are.
    private func expectAll(_ count: Int, rootBytes: Int) throws -> Int {
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
            return 0
        }
        var found: [Entry] = []
        for part in parts {
            let start = Int(part.offset)
            let leaf = try entries(in: Array(leaves[start..<start + Int(part.length)]))
            #expect(part.run == 0 && leaf.first?.id == part.id)
            found += leaf
        }
        #expect(found == wanted)
        return parts.count
    }

    @Test func `each two leaves become one until the root has room for them, and none is lost`()
        throws
    {
        let count = 4 * DirectoryWriter.entriesInLeaf + 9
        let whole = try expectAll(count, rootBytes: 1 << 14)
        #expect(whole == 5)
        #expect(try expectAll(count, rootBytes: 48) == 3)
        #expect(try expectAll(count, rootBytes: 40) < 3)
        #expect(try expectAll(20, rootBytes: 1 << 14) == 0)
    }
}
