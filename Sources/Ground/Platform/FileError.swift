import CLibrary

/// Why the system refused something that concerns a file.
public enum FileError: Error, Equatable, Sendable {
    /// The value of `errno`.
    case system(code: Int32)
    /// There is something of that name, and it is no file with bytes of its own.
    case notAFile(FileStatus.Kind)

    /// What the last call of the system said.
    public static var last: FileError { .system(code: errno) }

    /// The system's words for a value of `errno`.
    public static func words(for code: Int32) -> String {
        // strerror's own memory may change under another thread's call.
        var text = [UInt8](repeating: 0, count: 256)
        unsafe text.withUnsafeMutableBytes { text in
            guard let words = unsafe strerror(code) else { return }
            unsafe text.copyMemory(
                from: UnsafeRawBufferPointer(
                    start: words, count: min(strlen(words), text.count)))
        }
        return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension FileError {
    /// There is nothing of that name.
    public var isMissing: Bool { self == .system(code: ENOENT) }

    /// There is something of that name already.
    public var isTaken: Bool { self == .system(code: EEXIST) }

    /// What reads from the other end of a pipe is gone.
    public var isClosedPipe: Bool { self == .system(code: EPIPE) }

    /// The disk, or this user's share of it, is full.
    public var isDiskFull: Bool {
        self == .system(code: ENOSPC) || self == .system(code: EDQUOT)
    }
}

extension FileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .system(let code): Self.words(for: code)
        case .notAFile(let kind): "it is \(kind.noun), not a file"
        }
    }
}
