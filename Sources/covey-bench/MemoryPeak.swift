import Foundation

/// How far the memory of this process grows, as Linux counts it.
enum MemoryPeak {
    /// The bytes by which resident memory rises above where it was while `body` runs; nil where the
    /// system does not tell.
    static func growth(_ body: () throws -> Void) rethrows -> Int? {
        giveBackFreedMemory()
        // proc(5): writing 5 sets the peak back to what is resident now.
        let peak = FileHandle(forWritingAtPath: "/proc/self/clear_refs")
        guard (try? peak?.write(contentsOf: Data("5".utf8))) != nil,
            let before = kilobytes("VmRSS:")
        else { return nil }
        try body()
        return kilobytes("VmHWM:").map { ($0 - before) * 1024 }
    }

    /// Memory that the heap keeps from what was freed would be used again unseen.
    private static func giveBackFreedMemory() {
        // malloc_trim(3) is of one C library only, and Swift does not import it.
        guard let symbol = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), "malloc_trim")
        else { return }
        typealias Trim = @convention(c) (Int) -> Int32
        _ = unsafe unsafeBitCast(symbol, to: Trim.self)(0)
    }

    private static func kilobytes(_ name: String) -> Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.filter(\.isNumber)) }
    }
}
