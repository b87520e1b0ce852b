import Foundation
import Platform
import Tileset

/// How far the memory of this process grows, as Linux counts it.
enum MemoryPeak {
    /// The bytes by which resident memory rises above where it was while `body` runs; nil where the
    /// system does not tell.
    static func growth(_ body: () throws -> Void) rethrows -> Int? {
        giveBackFreedMemory()
        guard reset() else { return nil }
        // A peak that starts anew is what is resident now.
        let before = PeakMemory.bytes
        try body()
        return PeakMemory.bytes - before
    }

    /// Starts the peak anew from what is in use now; false where the system does not do that.
    @discardableResult
    static func reset() -> Bool {
        // proc(5): writing 5 sets the peak back to what is resident now.
        let peak = FileHandle(forWritingAtPath: "/proc/self/clear_refs")
        return (try? peak?.write(contentsOf: Data("5".utf8))) != nil
    }

    /// Memory that the heap keeps from what was freed would be used again unseen.
    private static func giveBackFreedMemory() {
        // malloc_trim(3) is of one C library only, and Swift does not import it.
        guard let symbol = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), "malloc_trim")
        else { return }
        typealias Trim = @convention(c) (Int) -> Int32
        _ = unsafe unsafeBitCast(symbol, to: Trim.self)(0)
    }
}
