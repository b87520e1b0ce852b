import CLibrary

/// A file that appears whole under its name, or not at all.
///
/// It is written under another name beside its place; unless it is published, it is removed.
@safe
struct OutputFile: ~Copyable {
    let path: String
    let temporaryPath: String
    private let replacesExisting: Bool
    private var isPublished = false

    /// Refuses at once what `publish` would have to refuse after all the work.
    init(path: String, replacesExisting: Bool) throws(ArchiveError) {
        try Self.check(path, replacesExisting: replacesExisting)
        let (directory, name) = Self.split(path)
        let token = String(UInt64.random(in: 0...(.max)), radix: 36)
        Self.removeLeftovers(of: name, in: directory)
        let temporaryPath =
            "\(directory)/\(Self.temporaryPrefix(for: name))\(getpid())-\(token)"
        let file = unsafe open(temporaryPath, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o666)
        guard file >= 0 else {
            throw .cannotWrite(path: path, reason: "\(directory): \(Self.reason(errno))")
        }
        close(file)
        self.path = path
        self.temporaryPath = temporaryPath
        self.replacesExisting = replacesExisting
    }

    deinit {
        guard !isPublished else { return }
        unsafe unlink(temporaryPath)
    }

    /// Makes the file safe on the disk and gives it its name.
    mutating func publish() throws(ArchiveError) {
        let (directory, _) = Self.split(path)
        try Self.synchronize(temporaryPath, flags: O_RDWR, path: path)
        try Self.check(path, replacesExisting: replacesExisting)
        // A link, unlike a rename, does not replace a file that has appeared since the check. Not
        // every file system has links; there the check must do.
        if !replacesExisting, unsafe link(temporaryPath, path) == 0 {
            unsafe unlink(temporaryPath)
        } else if !replacesExisting, errno == EEXIST {
            throw .exists(path: path)
        } else if unsafe rename(temporaryPath, path) != 0 {
            throw .cannotWrite(path: path, reason: Self.reason(errno))
        }
        isPublished = true
        try Self.synchronize(directory, flags: O_RDONLY | O_DIRECTORY, path: path)
    }

    private static func check(
        _ path: String, replacesExisting: Bool
    ) throws(ArchiveError) {
        let (directory, name) = split(path)
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .cannotWrite(path: path, reason: "it names no file")
        }
        var status = stat()
        guard unsafe stat(directory, &status) == 0 else {
            throw .cannotWrite(path: path, reason: "\(directory): \(reason(errno))")
        }
        if unsafe lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT != S_IFDIR else {
                throw .cannotWrite(path: path, reason: "it is a directory")
            }
            guard replacesExisting else { throw .exists(path: path) }
        }
        // SQLite would take a left-over journal for one of the new file and ruin that.
        for suffix in ["-wal", "-journal"]
        where unsafe stat(path + suffix, &status) == 0 && status.st_size > 0 {
            throw .inUse(path: path)
        }
    }

    private static func synchronize(
        _ file: String, flags: Int32, path: String
    ) throws(ArchiveError) {
        let descriptor = unsafe open(file, flags | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw errno == ENOSPC
                ? .diskFull(path: path) : .cannotWrite(path: path, reason: reason(errno))
        }
    }

    private static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = path[..<slash]
        let name = path[path.index(after: slash)...]
        return (directory.isEmpty ? "/" : String(directory), String(name))
    }

    static func reason(_ code: Int32) -> String {
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
