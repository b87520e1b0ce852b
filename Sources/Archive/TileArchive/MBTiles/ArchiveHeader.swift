import Platform

/// The first 100 bytes of an SQLite file. They are checked before SQLite opens it, for clearer errors (SQLite's
/// file format, 1.3).
struct ArchiveHeader {
    /// Whether the file was last written in write-ahead log mode.
    let usesWAL: Bool
    /// The length of the file.
    let byteCount: Int

    init(path: String) throws(ArchiveError) {
        let (bytes, size) = try Self.start(of: path)
        guard bytes.count == Self.headerBytes, bytes[..<16].elementsEqual(Self.magic) else {
            throw .notADatabase(path: path)
        }
        usesWAL = bytes[19] == 2
        byteCount = size
        try Self.checkSize(bytes, size: size, path: path)
    }

    private static func start(of path: String) throws(ArchiveError) -> ([UInt8], size: Int) {
        do {
            let file = try File(readingRegular: path)
            return (try file.bytes(upTo: headerBytes), try file.status().size)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
    }

    private static let headerBytes = 100
    static let magic = Array("SQLite format 3\0".utf8)

    /// Checks the length of the file against the header's page count, if the writer kept that up to date.
    private static func checkSize(
        _ bytes: [UInt8], size: Int, path: String
    ) throws(ArchiveError) {
        func number(at offset: Int, count: Int) -> Int {
            bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
        }
        let pageSize = number(at: 16, count: 2) == 1 ? 65_536 : number(at: 16, count: 2)
        let isCountValid = number(at: 24, count: 4) == number(at: 92, count: 4)
        let expected = number(at: 28, count: 4) * pageSize
        guard isCountValid, size < expected, !hasContent(path + "-wal"),
            !hasContent(path + "-journal")
        else { return }
        throw .truncated(path: path, bytes: size, expected: expected)
    }

    /// Whether a file exists and is not empty.
    static func hasContent(_ path: String) -> Bool {
        (try? FileStatus(of: path)).map { $0.size > 0 } ?? false
    }
}
