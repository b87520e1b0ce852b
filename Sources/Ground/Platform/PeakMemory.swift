import CLibrary

/// The most memory that the process has used so far.
package enum PeakMemory {
    package static var bytes: Int { ownPages ?? usage }

    /// The peak of this program's own pages on Linux. `getrusage` includes there the pages of the
    /// program that started this one, which may have been large.
    private static var ownPages: Int? {
        guard let text = try? File(readingRegular: "/proc/self/status").bytes(upTo: 4_096) else {
            return nil
        }
        return bytes(inStatus: String(decoding: text, as: UTF8.self))
    }

    /// The peak in the text of such a file (proc(5)), which counts in kibibytes.
    package static func bytes(inStatus text: String) -> Int? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = Int(line.filter(\.isNumber))
        else { return nil }
        return kibibytes * 1_024
    }

    private static var usage: Int {
        var usage = rusage()
        #if canImport(Darwin)
            guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return 0 }
            return Int(usage.ru_maxrss)
        #else
            guard unsafe getrusage(__rusage_who_t(0), &usage) == 0 else { return 0 }
            // Linux counts kibibytes.
            return Int(usage.ru_maxrss) * 1_024
        #endif
    }
}
