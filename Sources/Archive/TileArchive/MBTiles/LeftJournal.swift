import Platform
import SQLite

/// The journal that a writer left which was killed: it has the pages of an archive as they were.
struct LeftJournal {
    private let path: String

    /// Ends a journal that belongs to several databases at once, as none of ours does (SQLite's file format, 3).
    private static let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Nil if there is none that SQLite could apply without touching other files.
    init?(of path: String) {
        let journal = path + "-journal"
        guard let file = try? File(readingRegular: journal), let size = try? file.status().size,
            size > Self.mark.count,
            let end = try? file.bytes(size - Self.mark.count..<size), end != Self.mark
        else { return nil }
        self.path = path
    }

    /// Puts the pages back; false where that cannot be, as where nothing may be written.
    func rollBack() -> Bool {
        do {
            let database = try Database(path: path, mode: .readWrite)
            database.setBusyTimeout(milliseconds: 2_000)
            return try database.integer("SELECT count(*) FROM sqlite_schema") != nil
        } catch {
            return false
        }
    }
}
