import CSQLite

/// The handle of a connection, which the database and its statements share; it closes with the last
/// of them.
@safe
final class DatabaseHandle {
    let handle: OpaquePointer
    var progress: ProgressWatch?
    /// What the schema of an untrusted file may do; nil for our own files.
    let access: ForeignAccess?
    /// Limits the run time of statements on an untrusted file.
    let watch: StepWatch?

    init(_ handle: OpaquePointer, access: ForeignAccess? = nil, watch: StepWatch? = nil) {
        unsafe self.handle = handle
        self.access = access
        self.watch = watch
        unsafe watch?.start(handle)
        unsafe access?.guardSchema(of: handle)
    }

    deinit {
        watch?.stop()
        unsafe sqlite3_close_v2(handle)
    }

    /// Discards the reasons of earlier failures.
    func forgetReasons() {
        _ = access?.takeRefusal()
        _ = watch?.takeReason()
    }

    /// The error of the call that failed with this code.
    func fault(_ code: Int32) -> SQLiteFault {
        if let refusal = access?.takeRefusal() {
            return SQLiteFault(code: SQLITE_AUTH, message: refusal)
        }
        if code & 0xFF == SQLITE_INTERRUPT, let reason = watch?.takeReason() {
            return reason
        }
        return unsafe SQLiteFault(of: handle, code: code)
    }

    /// Calls SQLite under the time limit of the file.
    @inline(__always)
    func watched<Value>(_ body: () -> Value) -> Value {
        watch?.begin()
        defer { watch?.end() }
        return body()
    }
}

extension SQLiteFault {
    init(of connection: OpaquePointer, code: Int32) {
        self.init(
            code: code, message: unsafe String(cString: sqlite3_errmsg(connection)))
    }
}
