import Platform
import SQLite

/// The journal that a writer left which was killed: it has the pages of an archive as they were.
struct LeftJournal {
    private let path: String
    private var journal: String { path + "-journal" }

    /// Begins a journal that may be needed; in others zeros stand in its place. It also ends one that belongs to several
    /// databases at once, as none of ours does (SQLite's file format, 3).
    private static let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    private static let headSize = 28

    /// Nil if there is none that SQLite could apply without touching other files, or making this one larger: ours never do.
    init?(of path: String) {
        self.path = path
        guard let file = try? File(readingRegular: journal), let size = try? file.status().size,
            let head = try? file.bytes(upTo: Self.headSize), head.count == Self.headSize,
            let end = try? file.bytes(size - Self.mark.count..<size), end != Self.mark,
            let archiveSize = (try? FileStatus(of: path))?.size
        else { return nil }
        let start = head[..<Self.mark.count]
        guard start.elementsEqual(Self.mark) || start.allSatisfy({ $0 == 0 }) else { return nil }
        // How many pages there were, and how large each is.
        let pages = Self.number(head[16..<20]), pageSize = Self.number(head[24..<28])
        guard pages * pageSize <= archiveSize else { return nil }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Puts the pages back, and removes the journal; false where that cannot be, as where nothing may be written, or another
    /// program is at it.
    @discardableResult
    func clear() -> Bool {
        do {
            let database = try Database(path: path, mode: .readWrite)
            database.setBusyTimeout(milliseconds: 2_000)
            _ = try database.integer("PRAGMA schema_version")
            guard ArchiveHeader.hasContent(journal) else { return true }
            // No page was changed yet. With this lock no other program writes.
            try database.execute("BEGIN IMMEDIATE")
            try File.remove(journal)
            return true
        } catch {
            return false
        }
    }
}
