import CSQLite
import Synchronization

extension Database {
    /// Opens an untrusted file for reading: the actions of its schema are checked and bounded.
    ///
    /// A statement fails as `refused` if the schema makes it do something forbidden, as `interrupted` if it
    /// takes too long or is cancelled, and as `full` or `tooBig` if it needs too much space.
    ///
    /// - Parameter held: the number of a descriptor of the file, which stays open meanwhile: that file is read,
    ///   whatever has its path by now. Not for a file with a write-ahead log, which is found by its path.
    public init(
        foreign path: String, mode: Mode = .readOnly, held: Int32? = nil,
        limits: ForeignLimits = ForeignLimits()
    ) throws(SQLiteError) {
        precondition(mode != .readWriteCreate, "a foreign file is only read")
        precondition(held == nil || mode == .readOnly, "a held file is read with locks")
        // The configuration must precede all other calls of SQLite.
        _ = Self.isConfigured
        let files = BoundedFiles.name(limit: limits.temporaryBytes)
        try self.init(
            uri: Self.uri(forPath: path) + (held.map { "?held=\($0)" } ?? mode.query),
            flags: mode.flags, shown: path, files: files,
            access: ForeignAccess(), watch: StepWatch(limits))
        bound(limits)
    }

    /// Sets the limits that SQLite itself enforces: see <https://sqlite.org/limits.html>.
    private func bound(_ limits: ForeignLimits) {
        let bounds: [(Int32, Int32)] = [
            (SQLITE_LIMIT_LENGTH, limits.valueBytes), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
            (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 50),
            (SQLITE_LIMIT_VDBE_OP, 50_000), (SQLITE_LIMIT_ATTACHED, 0),
            (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100), (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
            (SQLITE_LIMIT_WORKER_THREADS, 0),
        ]
        for (limit, value) in bounds { unsafe sqlite3_limit(connection.handle, limit, value) }
        for option in [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_FKEY] {
            unsafe covey_sqlite3_configure(connection.handle, option, 0)
        }
        // Damaged pages are detected early, and sorting uses temporary files, which are bounded.
        unsafe sqlite3_exec(
            connection.handle,
            "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = FILE", nil, nil,
            nil)
    }

    /// Makes a user's own query readable as a view with this name. It may use any function and may
    /// recurse; the file's own views that it reads may not.
    public func createQuery(named name: String, as sql: String) throws(SQLiteError) {
        connection.access?.allowQuery(named: name)
        var view = try prepare("CREATE TEMP VIEW \(name) AS \(sql)")
        try view.run()
        // A view is checked only when it is used.
        _ = try prepare("SELECT * FROM \(name)")
    }

    /// Reads the schema before the first statement.
    func learnSchema() throws(SQLiteError) {
        try connection.access?.learnSchema { (query, row) throws(SQLiteError) in
            var statement = try compile(query)
            while try statement.step() {
                row((0..<statement.columnCount).map { statement.text(at: $0) ?? "" })
            }
        }
    }
}

/// The virtual file systems with bounded temporary files, one for each bound: SQLite never releases them.
private enum BoundedFiles {
    private static let names = Mutex<[Int64: String]>([:])

    static func name(limit: Int64) -> String? {
        names.withLock { names in
            if let name = names[limit] { return name }
            let made = unsafe covey_sqlite3_bound_files(limit).map { unsafe String(cString: $0) }
            names[limit] = made
            return made
        }
    }
}
