import CLibrary

/// Why the system refused an operation on a file.
public enum FileError: Error, Equatable, Sendable {
    /// The value of `errno`.
    case system(code: Int32)
    /// The name exists, but is not a regular file.
    case notAFile(FileStatus.Kind)

    /// The error of the last system call.
    public static var last: FileError { .system(code: errno) }

    /// The system's message for a value of `errno`.
    public static func words(for code: Int32) -> String {
        // Calls from other threads may change strerror's own buffer.
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
    /// The name does not exist.
    public var isMissing: Bool { self == .system(code: ENOENT) }

    /// The name exists already.
    public var isTaken: Bool { self == .system(code: EEXIST) }

    /// The reader of a pipe has closed it.
    public var isClosedPipe: Bool { self == .system(code: EPIPE) }

    /// The disk, or this user's quota, is full.
    public var isDiskFull: Bool {
        self == .system(code: ENOSPC) || self == .system(code: EDQUOT)
    }
}

extension FileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .system(EMFILE): "\(Self.words(for: EMFILE)) (ulimit -n allows more)"
        case .system(EFBIG): "\(Self.words(for: EFBIG)) for this system, or for ulimit -f"
        case .system(let code): Self.words(for: code)
        case .notAFile(let kind): "it is \(kind.noun), not a file"
        }
    }
}
