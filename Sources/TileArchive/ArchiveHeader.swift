import CLibrary

/// The first 100 bytes of an SQLite file, looked at before SQLite sees it, for clearer answers
/// (SQLite's file format, 1.3).
struct ArchiveHeader {
    /// Whether the file was last written in write-ahead log mode.
    let usesWAL: Bool

    init(path: String) throws(ArchiveError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .unreadable(path: path, reason: OutputFile.reason(errno))
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, reason: "it is not a file")
        }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        guard count == bytes.count, bytes[..<16].elementsEqual(Self.magic) else {
            throw .notADatabase(path: path)
        }
        usesWAL = bytes[19] == 2
        try Self.checkSize(bytes, size: Int(status.st_size), path: path)
    }

    private static let magic = Array("SQLite format 3\0".utf8)

    /// The header's page count says how long the file is, if its writer kept it up to date.
    private static func checkSize(
        _ bytes: [UInt8], size: Int, path: String
    ) throws(ArchiveError) {
        func number(at offset: Int, count: Int) -> Int {
            bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
        }
        let pageSize = number(at: 16, count: 2) == 1 ? 65_536 : number(at: 16, count: 2)
        let isCountValid = number(at: 24, count: 4) == number(at: 92, count: 4)
        let expected = number(at: 28, count: 4) * pageSize
        guard isCountValid, size < expected, !hasContent(path + "-wal") else { return }
        throw .truncated(path: path, bytes: size, expected: expected)
    }

    /// Whether a file exists and is not empty.
    static func hasContent(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_size > 0
    }
}
