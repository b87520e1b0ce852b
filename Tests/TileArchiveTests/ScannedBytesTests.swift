import Geometry
import Testing

@testable import TileArchive

/// How a scan hands on what it has read.
struct ScannedBytesTests {
    /// One tile after another, of so many bytes.
    private final class Walk: TileWalk {
        private var sizes: [Int]

        init(_ sizes: [Int]) { self.sizes = sizes }

        func next(_ bytes: inout [UInt8]) -> TileID? {
            guard let tile = next() else { return nil }
            bytes = [UInt8](repeating: UInt8(sizes.count), count: sizes.removeFirst())
            return tile
        }

        func next() -> TileID? { sizes.isEmpty ? nil : TileID(z: 0, x: 0, y: 0) }
    }

    @Test func `the first of a batch is moved, and only what comes behind others is copied`() throws
    {
        var scan = TileScan(Walk([3 << 20, 2]))
        var batch: [UInt8] = []
        _ = try scan.next()
        let read = scan.bytes.withUnsafeBufferPointer(\.baseAddress)
        scan.moveBytes(behind: &batch)
        #expect(batch.count == 3 << 20 && scan.bytes.isEmpty)
        #expect(batch.withUnsafeBufferPointer(\.baseAddress) == read)
        _ = try scan.next()
        scan.moveBytes(behind: &batch)
        #expect(batch.count == (3 << 20) + 2 && batch.first == 2 && batch.last == 1)
    }
}
