import CSQLite

/// A compiled SQL statement: bind its parameters, step through its rows, reset it and repeat.
///
/// Parameters count from 1 and columns from 0, as SQLite counts them.
@safe
public struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let connection: DatabaseHandle
    public let sql: String

    init(_ handle: OpaquePointer, connection: DatabaseHandle, sql: String) {
        unsafe self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    // The connection outlives the statement, which retains it.
    deinit { unsafe sqlite3_finalize(handle) }

    /// Goes to the next row; false when there is none.
    public mutating func step() throws(SQLiteError) -> Bool {
        switch connection.watched({ unsafe sqlite3_step(handle) }) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let error = failure(code)
            unsafe sqlite3_reset(handle)
            throw error
        }
    }

    /// Makes the statement ready to run again; what was bound stays bound.
    public mutating func reset() { unsafe sqlite3_reset(handle) }

    /// Runs the statement to its end, for its effect, and makes it ready to run again.
    public mutating func run() throws(SQLiteError) {
        while try step() {}
        reset()
    }

    /// Runs the statement with `blob` as one parameter, without copying it first.
    public mutating func run(binding blob: Span<UInt8>, at parameter: Int) throws(SQLiteError) {
        let code = unsafe bind(blob, at: parameter, kept: nil)
        // The span outlives the binding: it is borrowed until this returns.
        defer { unsafe sqlite3_bind_null(handle, Int32(parameter)) }
        try check(code)
        try run()
    }

    /// Runs the statement with pieces of `bytes` as parameters from `first` on, without copying
    /// them first; each piece begins at the end of the one before.
    public mutating func run(
        binding bytes: Span<UInt8>, cutAt ends: [Int], from first: Int
    ) throws(SQLiteError) {
        // The span outlives the bindings: it is borrowed until this returns.
        defer { unsafe sqlite3_clear_bindings(handle) }
        var start = 0
        for (piece, end) in ends.enumerated() {
            try check(unsafe bind(bytes.extracting(start..<end), at: first + piece, kept: nil))
            start = end
        }
        try run()
    }

    // MARK: Parameters

    public mutating func bind(_ value: Int64, at parameter: Int) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_int64(handle, Int32(parameter), value))
    }

    public mutating func bind(_ value: Int, at parameter: Int) throws(SQLiteError) {
        try bind(Int64(value), at: parameter)
    }

    public mutating func bind(_ value: Double, at parameter: Int) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_double(handle, Int32(parameter), value))
    }

    public mutating func bind(_ text: String, at parameter: Int) throws(SQLiteError) {
        var text = text
        let code = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe sqlite3_bind_text64(
                    handle, Int32(parameter), characters.baseAddress, UInt64(characters.count),
                    Self.copied, UInt8(SQLITE_UTF8))
            }
        }
        try check(code)
    }

    /// Binds a copy of `blob`.
    public mutating func bind(_ blob: Span<UInt8>, at parameter: Int) throws(SQLiteError) {
        try check(unsafe bind(blob, at: parameter, kept: Self.copied))
    }

    /// - Parameter destructor: nil where the bytes outlive the binding.
    @unsafe
    private func bind(
        _ blob: Span<UInt8>, at parameter: Int, kept destructor: sqlite3_destructor_type?
    ) -> Int32 {
        unsafe blob.withUnsafeBufferPointer { bytes in
            // An empty blob needs an address too: a null pointer would bind NULL.
            unsafe sqlite3_bind_blob64(
                handle, Int32(parameter), bytes.baseAddress ?? Self.somewhere,
                UInt64(bytes.count), destructor)
        }
    }

    public mutating func bindNull(at parameter: Int) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_null(handle, Int32(parameter)))
    }

    // MARK: Columns of the row that the last step went to

    /// The kind of a column's value in this row.
    public enum Kind: Sendable { case integer, double, text, blob, null }

    public var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

    public func name(ofColumn column: Int) -> String {
        unsafe sqlite3_column_name(handle, Int32(column)).map { unsafe String(cString: $0) } ?? ""
    }

    public func kind(at column: Int) -> Kind {
        switch unsafe sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .double
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// The value as a whole number; SQLite converts other kinds, and null is 0.
    public func integer(at column: Int) -> Int64 {
        unsafe sqlite3_column_int64(handle, Int32(column))
    }

    public func double(at column: Int) -> Double {
        unsafe sqlite3_column_double(handle, Int32(column))
    }

    /// The value as text, with ill-formed UTF-8 repaired; nil for null.
    public func text(at column: Int) -> String? {
        guard let text = unsafe sqlite3_column_text(handle, Int32(column)) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        return unsafe String(
            decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// The bytes of a blob, or of a text in UTF-8, valid until the statement moves on; empty for null.
    @_lifetime(borrow self)
    public func blob(at column: Int) -> Span<UInt8> {
        // It converts a text from the database's encoding: https://sqlite.org/c3ref/column_blob.html
        if kind(at: column) == .text { _ = unsafe sqlite3_column_text(handle, Int32(column)) }
        let start = unsafe sqlite3_column_blob(handle, Int32(column))
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
        let span = unsafe Span<UInt8>(_unsafeBytes: bytes)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// The number of bytes of a blob; SQLite does not read it if the row's header has the length.
    public func byteCount(at column: Int) -> Int {
        Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
    }

    // MARK: Odds and ends

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> SQLiteError {
        .failed(sql: sql, connection.fault(code))
    }

    /// SQLITE_TRANSIENT, a macro that Swift does not see: SQLite makes its own copy.
    private static var copied: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? {
        unsafe unsafeBitCast(-1, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?.self)
    }

    /// An address that is not null and is never read.
    private static var somewhere: UnsafePointer<UInt8> {
        unsafe UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    }
}
