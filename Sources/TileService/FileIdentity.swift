import CLibrary

/// Which file lies at a path and in which state: another value says that it was replaced or changed.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let node: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    enum Kind { case file, folder, other }

    /// The file at a path, links followed; nil if there is none.
    init?(path: String) {
        guard let status = Self.status(of: path), Self.kind(of: status) == .file else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        node = UInt64(status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            seconds = status.st_mtimespec.tv_sec
            nanoseconds = status.st_mtimespec.tv_nsec
        #else
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        #endif
    }

    /// What lies at a path, links followed; nil if nothing does.
    static func kind(ofPath path: String) -> Kind? { status(of: path).map(kind) }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    private static func kind(of status: stat) -> Kind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
    }
}
