import Compression
import Testing

@testable import TileArchive

/// Directories of more entries than the root has room for.
struct DirectoryWriterTests {
    typealias Entry = PMTilesDirectory.Entry

    private func entries(in packed: [UInt8]) throws -> [Entry] {
        var inflater = GzipInflater()
        let bytes = try inflater.inflate(packed.span, limit: 1 << 26)
        return try PMTilesDirectory(bytes.span).entries
    }

    /// - Returns: How many leaf directories there are.
    private func expectAll(_ count: Int) throws -> Int {
        var writer = DirectoryWriter()
        let wanted = (0..<UInt64(count)).map {
            Entry(id: 3 * $0, offset: 10 * $0, length: 10, run: 1)
        }
        for entry in wanted { writer.append(entry) }
        let (root, leaves) = writer.finish()
        #expect(root.count <= PMTilesHeader.largestRoot)
        let parts = try entries(in: root)
        guard parts.first?.run == 0 else {
            #expect(parts == wanted && leaves.isEmpty)
            return 0
        }
        var found: [Entry] = []
        let size = LeafDirectory.size(of: count)
        for part in parts {
            let start = Int(part.offset)
            let leaf = try entries(in: Array(leaves[start..<start + Int(part.length)]))
            #expect(part.run == 0 && leaf.first?.id == part.id)
            #expect(leaf.count == size || part == parts.last)
            found += leaf
        }
        #expect(found == wanted)
        return parts.count
    }

    @Test func `no entry is lost, however many there are`() throws {
        for (count, leaves) in [(0, 0), (20, 0), (4_096, 0), (4_097, 2), (4 * 4_096 + 9, 5)] {
            #expect(try expectAll(count) == leaves)
        }
    }

    @Test func `as many entries are in a leaf as it takes for the root to have room`() throws {
        #expect(LeafDirectory.size(of: 1_500 * 4_096) == 4_096)
        #expect(LeafDirectory.size(of: 1_500 * 4_096 + 1) == 8_192)
        #expect(LeafDirectory.size(of: 1_500 * 8_192 + 1) == 16_384)
        #expect(try expectAll(1_500 * 4_096 + 1) == 751)
    }

    @Test func `a root has room for leaves of any ids and lengths`() {
        var numbers = SystemRandomNumberGenerator()
        var compressor = GzipCompressor()
        var id: UInt64 = 0
        let leaves = (0..<1_500).map { _ in
            id += .random(in: 1 << 38..<1 << 39, using: &numbers)
            return (firstID: id, count: Int.random(in: 1 << 21..<1 << 27, using: &numbers))
        }
        let root = LeafDirectory.root(leaves, with: &compressor)
        #expect(root.count <= PMTilesHeader.largestRoot)
    }

    @Test func `few entries that the root has no room for are in one leaf`() throws {
        var numbers = SystemRandomNumberGenerator()
        var compressor = GzipCompressor()
        var id: UInt64 = 0
        var offset: UInt64 = 0
        let wanted = (0..<4_096).map { _ in
            id += .random(in: 1..<1 << 40, using: &numbers)
            offset += .random(in: 1 << 20..<1 << 30, using: &numbers)
            return Entry(id: id, offset: offset, length: 9, run: 1)
        }
        let (root, leaf) = LeafDirectory.root(of: wanted, with: &compressor)
        #expect(root.count <= PMTilesHeader.largestRoot)
        #expect(try entries(in: root).map(\.run) == [0])
        #expect(try entries(in: leaf) == wanted)
    }

    /// One entry follows another at the greatest offsets that there are.
    @Test func `an offset that follows from another is refused where it is too great`() throws {
        let cases: [(UInt64, UInt32, Bool)] = [
            (.max - 10, 9, true), (.max - 10, 10, true), (.max - 10, 11, false),
            (.max - 1, .max, false),
        ]
        for (offset, length, isRead) in cases {
            let entries = [
                Entry(id: 0, offset: offset, length: length, run: 1),
                Entry(id: 1, offset: offset &+ UInt64(length), length: 1, run: 1),
            ]
            let bytes = PMTilesDirectory(entries).bytes
            let found = try? PMTilesDirectory(bytes.span).entries
            #expect(found == (isRead ? entries : nil), "\(offset) \(length)")
        }
    }
}
