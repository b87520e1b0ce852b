import CSQLite

/// A connection to an SQLite database; it closes when its owner goes away.
///
/// A connection is for one thread at a time, and so are the statements made from it. Statements may
/// outlive it: SQLite then closes the file with the last of them.
@safe
public struct Database: ~Copyable {
    let connection: DatabaseHandle
    private var handle: OpaquePointer { unsafe connection.handle }

    /// How a file is opened.
    public enum Mode: Sendable {
        case readOnly
        /// Read-only, for a file that will not change: no locks, and a WAL is ignored.
        case immutable
        /// Reads and writes an existing file.
        case readWrite
        /// Reads and writes, and creates the file if it does not exist.
        case readWriteCreate

        // A URI, because `immutable` needs one; no mutex, because only one thread uses a connection at a time.
        var flags: Int32 {
            let access =
                switch self {
                case .readOnly, .immutable: SQLITE_OPEN_READONLY
                case .readWrite: SQLITE_OPEN_READWRITE
                case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                }
            return SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI | access
        }

        var query: String { self == .immutable ? "?immutable=1" : "" }
    }

    /// Opens the file at `path`; the first statement is the first to read it.
    public init(path: String, mode: Mode) throws(SQLiteError) {
        try self.init(
            uri: Self.uri(forPath: path) + mode.query, flags: mode.flags, shown: path)
    }

    /// A new, empty database in memory.
    public init() throws(SQLiteError) {
        try self.init(uri: ":memory:", flags: Mode.readWriteCreate.flags, shown: ":memory:")
    }

    init(
        uri: String, flags: Int32, shown path: String, files: String? = nil,
        access: ForeignAccess? = nil, watch: StepWatch? = nil
    ) throws(SQLiteError) {
        _ = Self.isConfigured
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(uri, &opened, flags, files)
        guard let handle = unsafe opened else {
            throw .cannotOpen(path: path, SQLiteFault(code: code, message: "out of memory"))
        }
        guard code == SQLITE_OK else {
            let fault = unsafe SQLiteFault(of: handle, code: code)
            unsafe sqlite3_close_v2(handle)
            throw .cannotOpen(path: path, fault)
        }
        // Files are untrusted: their schemas may not call functions with side effects.
        unsafe covey_sqlite3_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        if flags & SQLITE_OPEN_READONLY != 0 {
            unsafe covey_sqlite3_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        }
        connection = unsafe DatabaseHandle(handle, access: access, watch: watch)
    }

    /// The configuration of SQLite, made once in a process before any other call.
    static let isConfigured = covey_sqlite3_forgo_statistics() == SQLITE_OK

    /// Runs statements that return no rows, one after another.
    public func execute(_ sql: String) throws(SQLiteError) {
        try learnSchema()
        connection.forgetReasons()
        let code = connection.watched { unsafe sqlite3_exec(handle, sql, nil, nil, nil) }
        guard code == SQLITE_OK else { throw .failed(sql: sql, connection.fault(code)) }
    }

    /// Compiles one statement, which can be bound and run repeatedly.
    public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try learnSchema()
        return try compile(sql)
    }

    /// - Parameter sql: one statement, which nothing may follow.
    func compile(_ sql: String) throws(SQLiteError) -> Statement {
        var compiled: OpaquePointer?
        var rest = ""
        connection.forgetReasons()
        let code = connection.watched {
            unsafe sql.withCString { start in
                var end: UnsafePointer<CChar>?
                defer { rest = unsafe end.map { unsafe String(cString: $0) } ?? "" }
                return unsafe sqlite3_prepare_v3(
                    handle, start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, &end)
            }
        }
        guard code == SQLITE_OK else { throw .failed(sql: sql, connection.fault(code)) }
        guard let handle = unsafe compiled else {
            throw .failed(sql: sql, SQLiteFault(code: SQLITE_MISUSE, message: "no SQL"))
        }
        let statement = unsafe Statement(handle, connection: connection, sql: sql)
        guard rest.allSatisfy(\.isWhitespace) else {
            let fault = SQLiteFault(code: SQLITE_ERROR, message: "something follows the statement")
            throw .failed(sql: sql, fault)
        }
        return statement
    }

    /// The first column of the first row as a whole number, if there is a row.
    public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        var statement = try prepare(sql)
        return try statement.step() ? statement.integer(at: 0) : nil
    }

    /// The first column of the first row as text, if there is a row and it is not null.
    public func text(_ sql: String) throws(SQLiteError) -> String? {
        var statement = try prepare(sql)
        return try statement.step() ? statement.text(at: 0) : nil
    }

    /// How long a statement waits for another program's lock before it fails as `busy`.
    public func setBusyTimeout(milliseconds: Int32) {
        unsafe sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Calls `goOn` every `steps` steps of the virtual machine; false ends the running statement as
    /// `interrupted`.
    public mutating func watchProgress(
        everySteps steps: Int32, _ goOn: @escaping @Sendable () -> Bool
    ) {
        let watch = ProgressWatch(goOn)
        unsafe sqlite3_progress_handler(
            handle, steps, { unsafe ProgressWatch.stops($0) },
            Unmanaged.passUnretained(watch).toOpaque())
        connection.progress = watch
    }

    /// Rows inserted, changed or deleted by the last statement of that kind.
    public var changes: Int64 { unsafe sqlite3_changes64(handle) }

    /// A `file:` URI, with all special characters escaped.
    static func uri(forPath path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var uri = Array((path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:").utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                uri.append(byte)
            default:
                uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: uri, as: UTF8.self)
    }
}

/// Keeps the closure alive that decides whether a running statement continues.
final class ProgressWatch: Sendable {
    private let goOn: @Sendable () -> Bool

    init(_ goOn: @escaping @Sendable () -> Bool) { self.goOn = goOn }

    static func stops(_ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let context = unsafe context else { return 0 }
        let watch = unsafe Unmanaged<ProgressWatch>.fromOpaque(context).takeUnretainedValue()
        return watch.goOn() ? 0 : 1
    }
}
