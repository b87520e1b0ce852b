import CSQLite

/// The handle of a connection, which closes with its last owner: the database and its
/// statements share it.
@safe
final class DatabaseHandle {
    let handle: OpaquePointer
    var progress: ProgressWatch?
    /// What the schema of a stranger's file may do; nil for a file of our own.
    let access: ForeignAccess?
    /// How long a statement on a stranger's file may run.
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

    /// What was said about earlier calls means nothing for the next.
    func forgetReasons() {
        _ = access?.takeRefusal()
        _ = watch?.takeReason()
    }

    /// What is said about the call that failed with this code.
    func fault(_ code: Int32) -> SQLiteFault {
        if let refusal = access?.takeRefusal() {
            return SQLiteFault(code: SQLITE_AUTH, message: refusal)
        }
        if code & 0xFF == SQLITE_INTERRUPT, let reason = watch?.takeReason() {
            return reason
        }
        return unsafe SQLiteFault(of: handle, code: code)
    }

    /// Calls into SQLite, for as long as the file may take.
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
