import Platform

/// The first 100 bytes of a database's file (SQLite's file format, 1.3), which say how long it should be: of a page that
/// is cut off SQLite takes the rest as zeros.
public struct DatabaseHeader {
    public static let magic = Array("SQLite format 3\0".utf8)
    private static let byteCount = 100

    /// Whether the file was last written in write-ahead log mode.
    public let usesWAL: Bool
    /// The length of the file.
    public let size: Int
    /// The length that it should have, if it is shorter.
    public let cutFrom: Int?

    /// Nil if the file is no database.
    public init?(path: String) throws(FileError) {
        let file = try File(readingRegular: path)
        let bytes = try file.bytes(upTo: Self.byteCount)
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
        func number(at offset: Int, count: Int) -> Int {
            bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
        }
        let pageSize = number(at: 16, count: 2) == 1 ? 65_536 : number(at: 16, count: 2)
        let expected = number(at: 28, count: 4) * pageSize
        // Old programs do not keep the number of pages up to date.
        let isKnown = number(at: 24, count: 4) == number(at: 92, count: 4)
        usesWAL = bytes[19] == 2
        size = try file.status().size
        // What is not yet written is in a file beside it.
        let isCut =
            isKnown && size < expected && !Self.hasContent(path + "-wal")
            && !Self.hasContent(path + "-journal")
        cutFrom = isCut ? expected : nil
    }

    /// Whether a file exists and is not empty.
    public static func hasContent(_ path: String) -> Bool {
        (try? FileStatus(of: path)).map { $0.size > 0 } ?? false
    }
}
