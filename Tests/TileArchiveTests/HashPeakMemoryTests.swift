import Geometry
import Platform
import Testing
import TileArchive

#if os(Linux)
    /// What the hash over tiles takes. Sanitizers take more.
    struct HashPeakMemoryTests {
        /// In a process of its own, whose memory is its own.
        @Test func `the hash does not hold several large tiles`() async {
            await #expect(processExitsWith: .success) {
                let tile = [UInt8](repeating: 7, count: 2 << 20)
                let before = PeakMemory.bytes
                var hash = TilesHash()
                for row in 0..<4 {
                    hash.include(TileID(z: 2, x: 0, y: UInt32(row)), tile.span)
                }
                _ = hash.finish()
                precondition(PeakMemory.bytes - before < 4 << 20)
            }
        }
    }
#endif
