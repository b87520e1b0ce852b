import Foundation

/// How far the memory of this process grows, as Linux counts it.
enum MemoryPeak {
    /// The bytes by which resident memory rises above where it was while `body` runs; nil where the
    /// system does not tell.
    static func growth(_ body: () throws -> Void) rethrows -> Int? {
        // proc(5): writing 5 sets the peak back to what is resident now.
        let peak = FileHandle(forWritingAtPath: "/proc/self/clear_refs")
        guard (try? peak?.write(contentsOf: Data("5".utf8))) != nil,
            let before = kilobytes("VmRSS:")
        else { return nil }
        try body()
        return kilobytes("VmHWM:").map { ($0 - before) * 1024 }
    }

    private static func kilobytes(_ name: String) -> Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.filter(\.isNumber)) }
    }
}
