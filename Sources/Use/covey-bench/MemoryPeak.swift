import Foundation
import Platform
import Tileset

/// The growth of this process's memory, as Linux counts it.
enum MemoryPeak {
    /// The bytes by which resident memory rises above its initial size while `body` runs; nil if
    /// the system does not tell.
    static func growth(_ body: () throws -> Void) rethrows -> Int? {
        giveBackFreedMemory()
        guard reset() else { return nil }
        // A reset peak equals the memory that is resident now.
        let before = PeakMemory.bytes
        try body()
        return PeakMemory.bytes - before
    }

    /// Resets the peak to what is in use now; false if the system cannot do that.
    @discardableResult
    static func reset() -> Bool {
        // proc(5): writing 5 resets the peak to what is resident now.
        let peak = FileHandle(forWritingAtPath: "/proc/self/clear_refs")
        return (try? peak?.write(contentsOf: Data("5".utf8))) != nil
    }

    /// Returns freed memory to the system: its reuse would not show as growth.
    private static func giveBackFreedMemory() {
        // malloc_trim(3) exists in only one C library, and Swift does not import it.
        guard let symbol = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), "malloc_trim")
        else { return }
        typealias Trim = @convention(c) (Int) -> Int32
        _ = unsafe unsafeBitCast(symbol, to: Trim.self)(0)
    }
}
