import CLibrary

/// What the program knows of where it runs.
enum Program {
    /// Where MapLibre GL JS may lie: beside the program, where `scripts/setup` puts it for a program
    /// under `.build`, and where packages put such files.
    static var mapLibreFolders: [String] {
        guard let folder else { return [] }
        return ["", "/..", "/../..", "/../share/covey"].map { "\(folder)\($0)/maplibre" }
    }

    /// The folder of the program's file, links followed.
    private static var folder: String? {
        #if canImport(Darwin)
            let file = CommandLine.arguments[0]
        #else
            let file = "/proc/self/exe"
        #endif
        guard let path = unsafe realpath(file, nil) else { return nil }
        defer { unsafe free(path) }
        let text = unsafe String(cString: path)
        return text.lastIndex(of: "/").map { String(text[..<$0]) }
    }
}

/// The moment, as logs write it (RFC 3339).
enum Clock {
    static var now: String {
        var seconds = time(nil)
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
