import Platform
import SQLite

/// The journal of a writer that was killed: it holds the old pages of an archive.
struct LeftJournal {
    private let path: String
    private var journal: String { path + "-journal" }

    /// The start of a journal that may be needed; other journals start with zeros. It is also the end of a
    /// journal of several databases at once, which ours never are (SQLite's file format, 3).
    private static let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    private static let headSize = 28

    /// Nil if there is no journal, or if SQLite could not apply it without touching other files or enlarging this
    /// one, which ours never do.
    init?(of path: String) {
        self.path = path
        guard let file = try? File(readingRegular: journal), let size = try? file.status().size,
            let head = try? file.bytes(upTo: Self.headSize), head.count == Self.headSize,
            let end = try? file.bytes(size - Self.mark.count..<size), end != Self.mark,
            let archiveSize = (try? FileStatus(of: path))?.size
        else { return nil }
        let start = head[..<Self.mark.count]
        guard start.elementsEqual(Self.mark) || start.allSatisfy({ $0 == 0 }) else { return nil }
        // The number of pages before the changes, and the page size.
        let pages = Self.number(head[16..<20]), pageSize = Self.number(head[24..<28])
        guard pages * pageSize <= archiveSize else { return nil }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Restores the pages and removes the journal; false if that is impossible, for example in a read-only place
    /// or while another program does it.
    @discardableResult
    func clear() -> Bool {
        do {
            let database = try Database(path: path, mode: .readWrite)
            database.setBusyTimeout(milliseconds: 2_000)
            _ = try database.integer("PRAGMA schema_version")
            guard DatabaseHeader.hasContent(journal) else { return true }
            // No page was changed yet. With this lock, no other program can be writing.
            try database.execute("BEGIN IMMEDIATE")
            try File.remove(journal)
            return true
        } catch {
            return false
        }
    }
}
