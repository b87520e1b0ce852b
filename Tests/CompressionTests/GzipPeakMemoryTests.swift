import Compression
import Foundation
import Testing

#if os(Linux)
    struct GzipPeakMemoryTests {
        @Test func `a compressor does not keep the room that a large tile took`() async {
            await #expect(processExitsWith: .success) {
                var compressor = GzipCompressor()
                let before = try residentBytes()
                let packed = compressor.compress([UInt8](repeating: 7, count: 32 << 20).span)
                precondition(packed.count < 1 << 20)
                let gained = try residentBytes() - before
                precondition(gained < 16 << 20, "\(gained) bytes are kept")
                _ = compressor.compress([1, 2, 3].span)
            }
        }
    }
#endif

/// How much of the process lies in memory (proc(5), statm).
func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return Int(text.split(separator: " ")[1])! * Int(getpagesize())
}
